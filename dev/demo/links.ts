import type { Ground } from './uses.ts';

const DAY = 24 * 3600_000;

/** Links for people without an account: one to open with, one to hand something in, one to fetch with, and one that was withdrawn. */
export async function seedLinks({ api, locker }: Pick<Ground, 'api' | 'locker'>): Promise<void> {
  const until = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const make = (name: string, purpose: 'open' | 'drop-off' | 'pick-up', tags: string[], days: number, maxUses: number) =>
    api('POST /links', { body: { name, purpose, lockerIds: tags.map(locker), validTo: until(days), maxUses } });
  await make('Electrician, meter cabinet', 'open', ['A22', 'A23'], 3, 4);
  await make('Returns from the workshop', 'drop-off', ['B01', 'B02', 'B03', 'B04'], 30, 50);
  await make('Courier, evening round', 'pick-up', ['B17', 'C14', 'C15'], 7, 10);
  const lost = await make('Guest, lost their phone', 'open', ['C01'], 1, 1);
  await api('DELETE /links/{id}', { params: { id: lost.id } });
}
