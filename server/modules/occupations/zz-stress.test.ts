import { it, expect } from 'vitest';
import { testCabinet } from '../../test-cabinet.ts';
import { testCompany } from '../../test-company.ts';
import { testServer } from '../../test-server.ts';
it('stress', async () => {
  const server = await testServer({ config: { databasePool: 24 } });
  const ours = await testCompany(server);
  const admin = await ours.person(['admin']);
  const wall = await testCabinet(server, admin.api, 20);
  const seen = new Map<string, number>();
  const ids: string[] = [];
  const pick = <T>(all: readonly T[]) => all[Math.floor(Math.random() * all.length)] as T;
  const one = async () => {
    const id = pick(ids) ?? '';
    const acts: [string, () => Promise<unknown>][] = [
      ['register', async () => ids.push((await admin.api('POST /occupations', { body: { type: 'delivery', size: 'M', receiver: { name: 'K', email: 'k@example.test' } } })).id)],
      ['registerAt', async () => ids.push((await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: pick(wall.lockers).id } })).id)],
      ['fill', () => admin.api('PUT /occupations', { body: { id, action: 'fill' } })],
      ['publish', () => admin.api('PUT /occupations', { body: { id, action: 'publish' } })],
      ['extract', () => admin.api('PUT /occupations', { body: { id, action: 'extract' } })],
      ['move', () => admin.api('PUT /occupations', { body: { id, action: 'fill', lockerId: pick(wall.lockers).id } })],
      ['claim', () => admin.api('PUT /occupations/assign', { body: { id, action: 'claim' } })],
      ['retrieve', () => admin.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} })],
      ['open', () => { const l = pick(wall.lockers); return admin.api('POST /lockers/{id}/open', { params: { id: l.id }, body: { doorTag: l.doorTag } }); }],
      ['close', () => wall.close(pick(wall.lockers).compartment)],
      ['word', () => admin.api('PUT /lockers/{id}/content', { params: { id: pick(wall.lockers).id }, body: { content: 'empty' } })],
      ['list', () => admin.api('GET /occupations')],
    ];
    const [name, run] = pick(acts);
    const key = await run().then(() => `${name} ok`, (e: { status?: number; problem?: { code: string } }) => `${name} ${e.status} ${e.problem?.code ?? String(e)}`);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  };
  for (let round = 0; round < 40; round++) await Promise.all(Array.from({ length: 40 }, one));
  console.log([...seen].toSorted().map(([k, n]) => `${k}: ${n}`).join('\n'));
  expect([...seen.keys()].filter((k) => / 5\d\d /.test(k) && !/no-answer|offline/.test(k))).toEqual([]);
  wall.end();
  await server.stop();
}, 200_000);
