import type { Deps } from '../../deps.ts';
import type { Changes, EntraGroup, EntraSaid, EntraUser } from '../../providers/entra.ts';
import type { Scope } from '../../scope.ts';
import { inDirectory } from './commands.ts';
import { addMembers, dropGroup, removeMembers, setMembers, takeGroup } from './group-commands.ts';
import { dropPerson, takePerson } from './people-commands.ts';
import type { Run } from './run.ts';

/**
 * All that one round of changes told. `isWhole`: it began with nothing known and all of it was read, so whoever is not in it is gone.
 * `unread`: something was not, so the round is to be read again.
 */
export type Round<T> = { found: T[]; gone: string[]; done: string; isWhole: boolean; unread: boolean };

/** A directory that never comes to an end is none. */
const MOST_PAGES = 20_000;
/** As many as are carried out within one transaction. */
const BATCH = 50;

export const AWAY = { kind: 'away', error: 'not-understood', afterS: null } as const;

/** Follows the pages to the last, in whatever order things come. `isOn`: nobody let go of the directory meanwhile. */
export const readAll = async <T>(
  link: string | null,
  read: (link: string | null) => Promise<EntraSaid<Changes<T>>>,
  isOn: () => Promise<boolean>,
): Promise<EntraSaid<Round<T>>> => {
  const [found, gone]: [T[], string[]] = [[], []];
  let next = link;
  let unread = false;
  for (let page = 0; page < MOST_PAGES; page++) {
    if (page > 0 && !(await isOn())) return AWAY;
    const said = await read(next);
    if (said.kind !== 'ok') return said;
    found.push(...said.value.found);
    gone.push(...said.value.gone);
    unread ||= said.value.unread > 0;
    const { done } = said.value;
    if (done !== null) return { kind: 'ok', value: { found, gone, done, isWhole: link === null && !unread, unread } };
    ({ next } = said.value);
  }
  return AWAY;
};

const inBatches = async <T>(
  deps: Deps,
  scope: Scope,
  rows: readonly T[],
  isOn: () => Promise<boolean>,
  act: (run: Run, row: T) => Promise<unknown>,
): Promise<boolean> => {
  for (let at = 0; at < rows.length; at += BATCH) {
    if (!(await isOn())) return false;
    await inDirectory(deps, { ...scope, now: deps.now().toISOString() }, async (run) => {
      for (const row of rows.slice(at, at + BATCH)) await act(run, row);
    });
  }
  return true;
};

const known = (deps: Deps, { tenantId }: Scope, table: 'directory_people' | 'directory_groups'): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) => {
    const rows = tx.selectFrom(table).select('ref').where('tenant_id', '=', tenantId).where('source', '=', 'entra');
    return (await rows.execute()).map(({ ref }) => ref);
  });
const missing = async (deps: Deps, scope: Scope, table: 'directory_people' | 'directory_groups', all: readonly { id: string }[]) => {
  const there = new Set(all.map(({ id }) => id));
  return (await known(deps, scope, table)).filter((ref) => !there.has(ref));
};

/** Who goes, goes before anybody comes. False where the round cannot be: a directory has at least one person. */
export const takeUsers = async (deps: Deps, scope: Scope, round: Round<EntraUser>, isOn: () => Promise<boolean>): Promise<boolean> => {
  // Told of twice, the last word holds.
  const people = [...new Map(round.found.map((one) => [one.id, one])).values()];
  if (round.isWhole && people.length === 0) return false;
  const gone = [...round.gone, ...(round.isWhole ? await missing(deps, scope, 'directory_people', people) : [])];
  const sorted = people.toSorted((a, b) => Number(a.active) - Number(b.active));
  return (
    (await inBatches(deps, scope, [...new Set(gone)], isOn, (run, ref) => dropPerson(run, 'entra', ref))) &&
    inBatches(deps, scope, sorted, isOn, (run, { id: ref, ...person }) => takePerson(run, 'entra', { ref, ...person }))
  );
};

type Merged = { id: string; displayName: string | null; members: Map<string, boolean> };
/** One group comes in parts, on any page: the last word on each member holds. A group within a group is kept, and gives nothing. */
const merge = (groups: readonly EntraGroup[]): Merged[] => {
  const all = new Map<string, Merged>();
  for (const { id, displayName, members } of groups) {
    const one = all.get(id) ?? { id, displayName: null, members: new Map<string, boolean>() };
    all.set(id, { ...one, displayName: displayName ?? one.displayName });
    for (const member of members) if (member.isKept) one.members.set(member.id, !member.isGone);
  }
  return [...all.values()];
};

export const takeGroups = async (deps: Deps, scope: Scope, round: Round<EntraGroup>, isOn: () => Promise<boolean>): Promise<boolean> => {
  const groups = merge(round.found);
  const gone = [...round.gone, ...(round.isWhole ? await missing(deps, scope, 'directory_groups', groups) : [])];
  const there = ({ members }: Merged, isIn: boolean): string[] => [...members].filter(([, one]) => one === isIn).map(([ref]) => ref);
  return (
    (await inBatches(deps, scope, [...new Set(gone)], isOn, (run, ref) => dropGroup(run, 'entra', ref))) &&
    inBatches(deps, scope, groups, isOn, async (run, group) => {
      if (group.displayName !== null) await takeGroup(run, 'entra', { ref: group.id, displayName: group.displayName });
      if (round.isWhole) return setMembers(run, 'entra', group.id, there(group, true));
      await removeMembers(run, 'entra', group.id, there(group, false));
      return addMembers(run, 'entra', group.id, there(group, true));
    })
  );
};
