import { describe, expect, it } from 'vitest';
import { factsFrom, keyFacts, mayActOnOccupation, mayOpenDoor, type Facts, type Named } from '../access.ts';
import { mayBeTakenOut } from '../lifecycle.ts';
import { explainKey, explainPerson, type Held, type Holder } from '../opening.ts';
import { LICENSES, OCCUPATION_TYPES, ROLES, SCOPES, STAGE_NUMBERS } from '../terms.ts';

const crew = { id: 'g1', name: 'Crew' };
const held = (scopes: readonly string[], lockers: readonly string[], id = 'p1'): Held => ({
  id,
  name: `Permission ${id}`,
  scopes,
  lockers,
  groups: [crew],
});
const holder = (more: Partial<Holder> = {}): Holder => ({ roles: [], licenses: LICENSES, permissions: [], ...more });
const door = (occupation: Named | null = null) => ({ lockerId: 'a', occupation });

/** Every role and none, with every scope on the locker, on another one and on none, with every use in it: what a person can be. */
const everybody: Holder[] = [null, ...ROLES].flatMap((role) =>
  [null, ...SCOPES].flatMap((scope) =>
    [[], ['a'], ['b'], ['a', 'b']].flatMap((lockers) =>
      [LICENSES, []].map((licenses) =>
        holder({ licenses, roles: role === null ? [] : [role], permissions: scope === null ? [] : [held([scope], lockers)] }),
      ),
    ),
  ),
);
const uses: (Named | null)[] = [
  null,
  ...OCCUPATION_TYPES.flatMap((type) => STAGE_NUMBERS.map((stage): Named => ({ type, stage, lockerId: 'a' }))),
];

/** Asked to open, or to open and take out. */
const mayOpen = (named: Named | null, facts: Facts): boolean =>
  mayOpenDoor('a', named, facts) || (named !== null && mayBeTakenOut(named) && mayActOnOccupation(named, facts));

describe('why a door opens', () => {
  it('has a reason exactly where it may be opened, for everybody and every use', () => {
    for (const one of everybody)
      for (const occupation of uses) {
        const may = mayOpen(occupation, factsFrom(one));
        expect([one, occupation, explainPerson(door(occupation), one).length > 0]).toEqual([one, occupation, may]);
      }
  });

  it('holds for keys in the same way, by their own scopes and never by their maker’s', () => {
    const maker = factsFrom(holder({ roles: ['admin'] }));
    for (const scopes of [['read'], ['manage'], ['delivery'], ['admin:groups'], ['manage', 'delivery']])
      for (const occupation of uses) {
        const may = mayOpen(occupation, keyFacts(maker, scopes));
        expect([scopes, occupation, explainKey(door(occupation), maker, scopes).length > 0]).toEqual([scopes, occupation, may]);
      }
    expect(explainKey(door(), factsFrom(holder({ roles: ['delivery_manager'] })), ['manage'])).toEqual([]);
    expect(explainKey(door(), maker, ['manage'])).toEqual([{ service: 'lock-control', by: 'scope', scope: 'manage', permissions: [] }]);
  });

  it('names role, and permission with the groups that it comes through', () => {
    const both = holder({ roles: ['all'], permissions: [held(['manage', 'delivery'], ['a']), held(['manage'], ['b'], 'p2')] });
    expect(explainPerson(door(), both)).toEqual([
      { service: 'lock-control', by: 'role', role: 'all', permissions: [] },
      { service: 'lock-control', by: 'scope', scope: 'manage', permissions: [{ id: 'p1', name: 'Permission p1', groups: [crew] }] },
    ]);
    const parcel: Named = { type: 'delivery', stage: 0, lockerId: 'a' };
    expect(explainPerson(door(parcel), holder({ permissions: [held(['delivery'], ['a']), held(['lending'], ['a'], 'p2')] }))).toEqual([
      { service: 'delivery', by: 'scope', scope: 'delivery', permissions: [{ id: 'p1', name: 'Permission p1', groups: [crew] }] },
    ]);
  });

  it('gives whoever reaches every locker by a role no scope that permissions give them elsewhere', () => {
    const one = holder({ roles: ['admin'], permissions: [held(['manage'], ['b'])] });
    expect(explainPerson(door(), one)).toEqual([{ service: 'lock-control', by: 'role', role: 'admin', permissions: [] }]);
  });
});
