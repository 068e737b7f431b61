import { randomUUID } from 'node:crypto';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';

/** One company's directory: what Entra calls a tenant. */
export type Tenant = { tid: string; name: string; domain: string; consented: string[] };
/** `changed`: the number of its last change; `removed`: as Graph words it, `changed` for what may come back. */
type Changing = { tid: string; changed: number; removed: 'changed' | 'deleted' | null };
export type Person = Changing & {
  id: string;
  givenName: string;
  surname: string;
  userPrincipalName: string;
  mail: string | null;
  mobilePhone: string | null;
  preferredLanguage: string | null;
  accountEnabled: boolean;
  /** May let an application in for everybody. */
  isAdmin: boolean;
};
export type Group = Changing & { id: string; displayName: string };
/** `isGroup`: the one within is a group. */
export type Member = Changing & { groupId: string; personId: string; isGroup?: true };
export type NewPerson = Pick<Person, 'givenName' | 'surname'> &
  Partial<Pick<Person, 'mail' | 'mobilePhone' | 'isAdmin' | 'preferredLanguage'>>;
type Saved = { tenant: Tenant } | { person: Person } | { group: Group } | { member: Member };

export const nameOf = ({ givenName, surname }: Pick<Person, 'givenName' | 'surname'>): string => `${givenName} ${surname}`.trim();
/** Letters and digits alone, as an address has them. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('ø', 'o').replaceAll('æ', 'ae').normalize('NFD').replaceAll(/[^a-z0-9]+/g, ''); // prettier-ignore

export type Store = ReturnType<typeof createStore>;

/** People and groups of every directory: in memory, and as JSON lines in `folder` where one is given. Each change has a number of its own. */
export function createStore({ folder }: { folder?: string } = {}) {
  const tenants = new Map<string, Tenant>();
  const people = new Map<string, Person>();
  const groups = new Map<string, Group>();
  const members = new Map<string, Member>();
  const { on, tell } = createListeners();
  let last = 0;

  const place = (saved: Saved) => {
    if ('tenant' in saved) return void tenants.set(saved.tenant.tid, saved.tenant);
    if ('person' in saved) people.set(saved.person.id, saved.person);
    else if ('group' in saved) groups.set(saved.group.id, saved.group);
    else members.set(`${saved.member.groupId} ${saved.member.personId}`, saved.member);
    last = Math.max(last, ...Object.values(saved).map(({ changed }: Changing) => changed));
  };
  const write = openJournal(folder, 'directory.jsonl', place, () => [
    ...[...tenants.values()].map((tenant) => ({ tenant })),
    ...[...people.values()].map((person) => ({ person })),
    ...[...groups.values()].map((group) => ({ group })),
    ...[...members.values()].map((member) => ({ member })),
  ]);
  const keep = (...all: Saved[]) => {
    write(...all);
    tell();
  };
  const next = () => (last += 1);
  const of = <T extends Changing>(all: Map<string, T>, tid: string): T[] => [...all.values()].filter((one) => one.tid === tid);
  const living = <T extends Changing>(all: Map<string, T>, tid: string): T[] => of(all, tid).filter(({ removed }) => removed === null);

  return {
    last: () => last,
    on,
    tenants: (): Tenant[] => [...tenants.values()],
    /** By its id or its domain. */
    tenant: (name: string): Tenant | null =>
      tenants.get(name.toLowerCase()) ?? [...tenants.values()].find(({ domain }) => domain === name.toLowerCase()) ?? null,
    addTenant: (name: string, domain = `${plain(name) || 'directory'}-${last + tenants.size + 1}.onmicrosoft.test`): Tenant => {
      const tenant = { tid: randomUUID(), name, domain, consented: [] };
      keep({ tenant });
      return tenant;
    },
    consent: (tenant: Tenant, clientId: string, isGiven: boolean) => {
      const others = tenant.consented.filter((one) => one !== clientId);
      keep({ tenant: { ...tenant, consented: isGiven ? [...others, clientId] : others } });
    },
    person: (id: string): Person | null => people.get(id) ?? null,
    group: (id: string): Group | null => groups.get(id) ?? null,
    people: (tid: string): Person[] => living(people, tid),
    groups: (tid: string): Group[] => living(groups, tid),
    members: (tid: string): Member[] => living(members, tid),
    /** All that was changed after that number, also what was removed; from 0 on, all that is there. */
    changedPeople: (tid: string, since: number): Person[] =>
      (since === 0 ? living : of)(people, tid).filter(({ changed }) => changed > since),
    changedGroups: (tid: string, since: number): { group: Group; members: Member[] }[] => {
      const changed = (since === 0 ? living : of)(members, tid).filter((one) => one.changed > since);
      return (since === 0 ? living : of)(groups, tid)
        .map((group) => ({ group, members: changed.filter(({ groupId }) => groupId === group.id) }))
        .filter((one) => one.group.changed > since || one.members.length > 0);
    },
    addPerson: ({ tid, domain }: Tenant, input: NewPerson): Person => {
      const stem = [plain(input.givenName), plain(input.surname)].filter(Boolean).join('.') || 'person';
      const taken = of(people, tid).filter(({ userPrincipalName }) => userPrincipalName.startsWith(stem)).length;
      const userPrincipalName = `${stem}${taken === 0 ? '' : taken + 1}@${domain}`;
      const rest = { mail: userPrincipalName, mobilePhone: null, preferredLanguage: 'nb-NO', isAdmin: false, ...input };
      const person: Person = { id: randomUUID(), tid, userPrincipalName, accountEnabled: true, removed: null, changed: next(), ...rest };
      keep({ person });
      return person;
    },
    changePerson: (person: Person, change: Partial<Omit<Person, 'id' | 'tid' | 'changed' | 'removed'>>): Person => {
      const after = { ...person, ...change, changed: next() };
      keep({ person: after });
      return after;
    },
    /** Out of everything at once; what was deleted may come back, but not its memberships. */
    removePerson: (person: Person) => {
      const left = living(members, person.tid).filter(({ personId }) => personId === person.id);
      keep(
        { person: { ...person, removed: 'changed', changed: next() } },
        ...left.map((member) => ({ member: { ...member, removed: 'deleted' as const, changed: next() } })),
      );
    },
    addGroup: ({ tid }: Tenant, displayName: string): Group => {
      const group: Group = { id: randomUUID(), tid, displayName, removed: null, changed: next() };
      keep({ group });
      return group;
    },
    changeGroup: (group: Group, displayName: string) => keep({ group: { ...group, displayName, changed: next() } }),
    removeGroup: (group: Group) => keep({ group: { ...group, removed: 'changed', changed: next() } }),
    setMember: (group: Group, { id: personId, ...one }: Person | Group, isIn: boolean) => {
      const removed = isIn ? null : ('deleted' as const);
      const kind = 'displayName' in one ? { isGroup: true as const } : {};
      keep({ member: { tid: group.tid, groupId: group.id, personId, removed, changed: next(), ...kind } });
    },
  };
}
