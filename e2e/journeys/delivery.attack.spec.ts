import { createClient } from '@hatchway/contract/client.ts';
import { makeCompany } from '../company.ts';
import { expect, test } from '../journey.ts';

// Beside the journey: the same ids in the hands of another company's administrator, past the page.

/** What came of a call: the status it was refused with, or that it went through. */
const fate = (call: Promise<unknown>) =>
  call.then(
    () => 'went through',
    (error: { status?: number; message: string }) => error.status ?? error.message,
  );

test('another company’s administrator gets nothing of a delivery by its ids', async ({ page, hatchway, company, enter }) => {
  const { lockers, id: cabinetId } = await company.cabinet({ doors: 2 });
  const { api } = company.admin;
  const held = await api('POST /occupations/delivery', {
    body: {
      lockerId: lockers[0]?.id ?? '',
      assetText: 'Parcel',
      receiver: { name: 'Ingrid Solberg', email: 'ingrid@e2e.test' },
      fill: true,
    },
  });
  const id = held.id;
  const door = { id: held.lockerId };
  const thief = await makeCompany(hatchway);
  try {
    const theirs = thief.admin.api;
    const calls = [
      theirs('GET /occupations/{id}', { params: { id } }),
      theirs('PUT /occupations', { body: { id, action: 'send', receiver: { name: 'Thief', email: 'thief@e2e.test' } } }),
      theirs('PUT /occupations', { body: { id, action: 'extract' } }),
      theirs('PUT /occupations/assign', { body: { action: 'claim', id } }),
      theirs('DELETE /occupations/{id}', { params: { id } }),
      theirs('GET /lockers/{id}', { params: door }),
      theirs('POST /lockers/{id}/open', { params: door, body: { doorTag: held.doorTag, occupationId: id } }),
      theirs('GET /cabinets/{id}', { params: { id: cabinetId } }),
      theirs('GET /cabinets/{id}/lockers', { params: { id: cabinetId } }),
      theirs('POST /cabinets/{id}/pair', { params: { id: cabinetId } }),
    ];
    expect(await Promise.all(calls.map(fate))).toEqual(calls.map(() => 404));
    const into = { type: 'delivery', lockerId: held.lockerId, assetText: 'Bomb', receiver: { name: 'A', email: 'a@e2e.test' } } as const;
    expect(await fate(theirs('POST /occupations', { body: into }))).not.toBe('went through');
    expect(await theirs('GET /occupations', { query: { q: { id } } })).toEqual([]);
    expect(await theirs('GET /history', { query: { q: { occupationId: id } } })).toEqual([]);
    expect(await theirs('GET /messages', { query: { q: { occupationId: id } } })).toEqual([]);
    for (const token of [null, 'ey.not.one']) {
      const stranger = createClient({ base: `${hatchway.origin}/v1`, token: () => token });
      expect(await fate(stranger('GET /occupations/{id}', { params: { id } }))).toBe(401);
    }

    // the live socket, from a page of the thief's own portal
    const tokens = { own: await company.admin.token(), theirs: await thief.admin.token() };
    await enter(thief.admin.email);
    await page.evaluate(
      ({ tokens, id, address }) => {
        const heard: Record<string, number> = { own: 0, theirs: 0 };
        Object.assign(globalThis, { heard });
        const listen = (who: keyof typeof tokens) =>
          new Promise<void>((resolve) => {
            const socket = new WebSocket(address, [tokens[who]]);
            const events = ['occupations', `occupations/${id}`, 'lockers', 'history'];
            let answers = 0;
            socket.addEventListener('open', () => {
              for (const event of events) socket.send(JSON.stringify({ topic: 'subscribe', id: event, event }));
            });
            socket.addEventListener('message', ({ data }) => {
              const message = JSON.parse(String(data)) as { topic: string };
              if (message.topic === 'event') heard[who] = (heard[who] ?? 0) + 1;
              else if (++answers === events.length) resolve();
            });
          });
        return Promise.all([listen('own'), listen('theirs')]);
      },
      { tokens, id, address: `${hatchway.origin.replace('http', 'ws')}/live` },
    );
    await api('PUT /occupations', { body: { id, action: 'publish' } });
    await api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'over' } });
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: { own: number; theirs: number } }).heard);
    await expect.poll(async () => (await heard()).own).toBeGreaterThanOrEqual(6);
    expect((await heard()).theirs).toBe(0);
  } finally {
    await thief.remove();
  }
});
