import { expect, test } from '@playwright/test';
import { makeCompany, messagesTo, type OwnCabinet } from '../company.ts';
import { waiting } from '../counter.ts';
import { startProcess } from '../process.ts';

const first = ({ lockers }: OwnCabinet) => {
  const [lot] = lockers;
  if (!lot) throw new Error('no locker');
  return lot;
};

test('told to stop while a door moves: the answer still arrives, and it is known after the next start', async () => {
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    const { api } = company.admin;
    const cabinet = await company.cabinet({ doors: 1 });
    const lot = first(cabinet);
    // well before its deadline of five seconds, and long enough to be told to stop meanwhile
    await cabinet.virtual.act({ do: 'fault', slowMs: 2_500 });
    const opening = api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, reason: 'a look' } });
    await expect
      .poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).lastCommand?.outcome, { intervals: [20] })
      .toBe('pending');
    const stopped = hatchway.term();
    expect(await opening).toMatchObject({ door: 'opened', lastCommand: { outcome: 'opened' } });
    expect(await stopped, 'ended by itself').toBe(0);
    await expect(api('GET /accounts/me')).rejects.toThrow();

    await hatchway.again();
    const locker = await api('GET /lockers/{id}', { params: { id: lot.id } });
    expect(locker.lastCommand).toMatchObject({ outcome: 'opened' });
    const story = await api('GET /history', { query: { q: { lockerId: lot.id }, sort: 'at' } });
    expect(story.filter(({ lockerId }) => lockerId !== null).map((event) => event.type)).toEqual(['locker_opened']);
  } finally {
    await hatchway.stop();
  }
});

test('killed, started again, and started twice: the data is whole, and the second one is refused', async () => {
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    const { api } = company.admin;
    const cabinet = await company.cabinet({ doors: 2 });
    const made = await api('POST /occupations', { body: { type: 'delivery', lockerId: first(cabinet).id, assetText: 'Parcel 77' } });
    await hatchway.kill();
    await hatchway.again();
    expect(await api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({
      assetText: 'Parcel 77',
      stageName: 'RESERVED',
    });

    await expect(hatchway.second()).rejects.toThrow('already runs');
    // and the first one goes on as if nothing had been
    expect(await api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'RESERVED' });
  } finally {
    await hatchway.stop();
  }
});

test('the power fails in the middle of work, for server and database alike: what was answered is there, and nothing is half done', async () => {
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    const { api } = company.admin;
    const cabinet = await company.cabinet({ doors: 24 });
    const answered: string[] = [];
    const cut: Promise<void>[] = [];
    const working = cabinet.lockers.map(async ({ id, doorTag }) => {
      const made = await api('POST /occupations', { body: { type: 'delivery', lockerId: id, assetText: `Parcel ${doorTag}` } });
      answered.push(made.id);
      // not a moment after an answer: what is still on its way to the disk then is lost
      if (answered.length === 8) cut.push(hatchway.powerCut());
    });
    await Promise.allSettled(working);
    await Promise.all(cut);
    expect(answered.length, 'some were answered, and it was cut in the midst of the others').toBeGreaterThanOrEqual(8);
    await hatchway.again();

    const now = await api('GET /occupations', { query: { limit: 100 } });
    expect(now.map((one) => one.id)).toEqual(expect.arrayContaining(answered));
    const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
    for (const one of now) {
      expect(one).toMatchObject({ stageName: 'RESERVED', assetText: `Parcel ${one.doorTag}` });
      expect(lockers.find(({ id }) => id === one.lockerId)?.occupationId, `${one.doorTag} is set aside for it`).toBe(one.id);
      const story = await api('GET /history', { query: { q: { occupationId: one.id } } });
      expect(story.map(({ type }) => type).toSorted()).toEqual(['locker_reserved', 'occupation_created']);
    }
    const taken = new Set(now.map((one) => one.lockerId));
    expect(
      lockers
        .filter(({ occupationId }) => occupationId !== null)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...taken].toSorted());
  } finally {
    await hatchway.stop();
  }
});

test('killed between sending and hearing the answer: whether it went out is not known, it is not repeated, and Send again is another', async () => {
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    const { api } = company.admin;
    const email = 'ingrid@e2e.test';
    const made = await waiting(company, first(await company.cabinet({ doors: 1 })), { name: 'Ingrid Solberg', email });
    const messages = () => api('GET /messages', { query: { q: { occupationId: made.id } } });
    const inbox = () => messagesTo(hatchway.where.origin, email, { least: 0 });
    await fetch(`${hatchway.where.origin}/sandbox/inbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'mail', kind: 'slow', ms: 600_000, to: email }),
    });
    await api('PUT /occupations', { body: { id: made.id, action: 'send' } });
    await expect.poll(async () => (await messages()).map(({ state }) => state)).toEqual(['sent']);
    const [lost] = await messages();
    await hatchway.kill();
    await hatchway.again();

    await expect.poll(async () => (await messages()).map(({ state }) => state), { timeout: 60_000 }).toEqual(['unknown']);
    // no answer, no word that somebody was told
    expect(await api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CONTACTING' });
    expect((await messages())[0]).toMatchObject({ id: lost?.id, messageId: lost?.messageId });
    expect(await inbox()).toEqual([]);

    await api('POST /messages/{id}/send', { params: { id: lost?.id ?? '' } });
    await expect.poll(async () => (await messages()).map(({ state }) => state).toSorted()).toEqual(['accepted', 'unknown']);
    const [again] = (await messages()).filter(({ state }) => state === 'accepted');
    expect(again?.messageId).not.toBe(lost?.messageId);
    expect((await inbox()).map(({ messageId }) => messageId)).toEqual([again?.messageId]);
    expect(await api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CONTACTED' });
  } finally {
    await hatchway.stop();
  }
});
