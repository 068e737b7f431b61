import { expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCompany } from '../../test-company.ts';
import { testServer } from '../../test-server.ts';
import { roomFor } from './new-addresses.ts';

const HOUR = 3600_000;
const NOW = new Date('2026-03-02T10:20:00.000Z');

it('a company writes to so many new addresses an hour: what comes beyond waits, and what is known goes out', async () => {
  let ahead = 0;
  const server = await testServer({ config: { newAddressesPerHour: 2 }, now: () => new Date(NOW.getTime() + ahead) });
  try {
    const { deps } = server;
    const ours = (await testCompany(server)).id;
    const theirs = (await testCompany(server)).id;
    const room = (tenantId: string, to: string) =>
      deps.db.tenant(tenantId, (tx) =>
        roomFor(tx, deps, { tenantId, now: deps.now().toISOString(), actor: { kind: 'system', id: null, name: '' } }, to),
      );
    // what making the companies wrote to counts too
    await query(server.database.ownerUrl, 'delete from rate_limits', []);
    expect([await room(ours, 'a@x.no'), await room(ours, '+4791234567'), await room(ours, 'a@x.no')]).toEqual([null, null, null]);
    expect([await room(ours, 'c@x.no'), await room(ours, 'c@x.no'), await room(ours, 'e@x.no')]).toEqual([
      '2026-03-02T11:00:00.000Z',
      '2026-03-02T11:00:00.000Z',
      '2026-03-02T12:00:00.000Z',
    ]);
    expect(await room(theirs, 'c@x.no')).toBeNull();
    ahead = HOUR;
    expect([await room(ours, 'f@x.no'), await room(ours, 'c@x.no')]).toEqual([null, null]);
    expect(await server.deps.metrics.newAddressesHeld.get()).toMatchObject({ values: [{ value: 3 }] });
  } finally {
    await server.stop();
  }
});
