import { expect, test } from '@playwright/test';
import { makeCompany, type OwnCabinet } from '../company.ts';
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
    await cabinet.virtual.act({ do: 'fault', slowMs: 2_000 });
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
    expect(story.map((event) => event.type)).toEqual(['locker_opened']);
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
