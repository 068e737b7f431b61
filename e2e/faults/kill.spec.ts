import { expect, test } from '@playwright/test';
import { type Client } from '@hatchway/contract/client.ts';
import { makeCompany, messagesTo, type OwnCabinet } from '../company.ts';
import { startProcess } from '../process.ts';

/** What the API acknowledged before the server died; nothing of it may be lost. */
type Acknowledged = { id: string; doorTag: string; least: number };

async function delivery(api: Client, cabinet: OwnCabinet, at: number, acknowledged: Acknowledged[]): Promise<void> {
  const locker = cabinet.lockers[at % cabinet.lockers.length];
  const receiver = { name: 'Ingrid Solberg', email: `ingrid-${at}@e2e.test` };
  const occupation = await api('POST /occupations', {
    body: { type: 'delivery', assetText: `Parcel ${at}`, receiver, ...(locker ? { lockerId: locker.id } : {}) },
  });
  const note: Acknowledged = { id: occupation.id, doorTag: occupation.doorTag, least: 0 };
  acknowledged.push(note);
  await api('PUT /occupations', { body: { id: occupation.id, action: 'fill' } });
  note.least = 2;
  await api('PUT /occupations', { body: { id: occupation.id, action: 'send' } });
  note.least = 4;
  await api('PUT /occupations/assign', { body: { action: 'claim', id: occupation.id } });
  note.least = 6;
  await api('PUT /occupations', { body: { id: occupation.id, action: 'finnish' } });
  note.least = 98;
}

test('killed at a random moment and started again, thirty times in a row', async () => {
  test.setTimeout(280_000);
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    const cabinet = await company.cabinet({ doors: 40 });
    const { api } = company.admin;
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < 30; round++) {
      const working = delivery(api, cabinet, round, acknowledged).catch(() => 'cut off');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      await hatchway.kill();
      await working;
      await hatchway.again();

      const now = await api('GET /occupations', { query: { limit: 200 } });
      for (const { id, doorTag, least } of acknowledged) {
        const found = now.find((one) => one.id === id);
        expect(found, `round ${round}: ${doorTag} was acknowledged and is gone`).toBeDefined();
        expect(found?.stage, `round ${round}: ${doorTag} fell behind what was acknowledged`).toBeGreaterThanOrEqual(
          least === 4 || least === 6 ? 3 : least,
        );
      }
      const running = now.filter((one) => one.stage < 98);
      expect(new Set(running.map((one) => one.lockerId)).size, `round ${round}: two occupations in one locker`).toBe(running.length);
      const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
      for (const one of running)
        expect(lockers.find((locker) => locker.id === one.lockerId)?.occupationId, `round ${round}: ${one.doorTag} is wrongly free`).toBe(
          one.id,
        );
    }
    for (let at = 0; at < 30; at++) {
      const messages = await messagesTo(hatchway.where.origin, `ingrid-${at}@e2e.test`, { least: 0 });
      const ids = messages.map((message) => message.messageId);
      expect(new Set(ids).size, `receiver ${at} got one message twice under two names`).toBeLessThanOrEqual(1);
    }
  } finally {
    await hatchway.stop();
  }
});
