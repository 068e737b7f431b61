import { sql } from 'kysely';
import { beginsNumber } from '@hatchway/domain/receiver.ts';
import { beginsWord, folded, wordsOf } from '@hatchway/domain/words.ts';
import type { Tx } from '../../db/database.ts';
import { groupIdsOf } from '../../person-groups.ts';

type Known = { name: string; tlf: string | null; email: string | null; lastAt: string };
/** So many of the latest that fit are looked at: a name that half the town bears costs no more than a rare one. */
const LOOKED_AT = 200;

/** It is their number, or each word begins something of the person: the search also knows door tags and assets, which are no receivers. */
const fits = (person: Known, search: string, words: readonly string[]): boolean => {
  const tlf = person.tlf ?? '';
  const email = person.email ?? '';
  // Of an address, what stands before the @ is the person's; what follows is shared with everybody there, and no word for one of them.
  const own = email.replace(/@.*/, '');
  const parts = [person.name, own, tlf].map(folded);
  return (
    beginsNumber(person.tlf, search) ||
    words.every((word) => folded(email).startsWith(word) || parts.some((part) => beginsWord(part, word)))
  );
};

export const findReceivers = async (tx: Tx, tenantId: string, search: string, limit: number): Promise<Grouped[]> => {
  const words = wordsOf(search);
  const found = (table: 'search_occupations' | 'search_accounts') => sql`(select ${sql.raw(table)}(${search}))`;
  const [earlier, members] = await Promise.all([
    sql<Known>`select receiver_name as name, receiver_tlf as tlf, receiver_email as email, updated_at as "lastAt" from occupations
      where tenant_id = ${tenantId} and receiver_name is not null and id in ${found('search_occupations')}
      order by created_at desc limit ${sql.lit(LOOKED_AT)}`.execute(tx),
    sql<Known>`select a.name, a.tlf, a.email, coalesce(m.last_seen_at, m.updated_at) as "lastAt"
      from memberships m join accounts a on a.id = m.account_id
      where m.tenant_id = ${tenantId} and (a.tlf is not null or a.email is not null) and a.id in ${found('search_accounts')}
      order by a.name limit ${sql.lit(LOOKED_AT)}`.execute(tx),
  ]);
  const seen = new Set<string>();
  const people = [...earlier.rows, ...members.rows]
    .filter((person) => fits(person, search, words))
    .filter((person) => {
      const key = [person.name.toLowerCase(), person.tlf ?? '', person.email ?? ''].join('\n');
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, limit);
  return withGroups(tx, tenantId, people);
};

type Grouped = Known & { groupIds: string[] };
/** Of the groups that they are in those that some policy names: what holds for them shows those anyway, and who is in others is the administrator's to know. */
const withGroups = async (tx: Tx, tenantId: string, people: readonly Known[]): Promise<Grouped[]> => {
  const ids = groupIdsOf(tenantId, { email: sql`p.email`, tlf: sql`p.tlf`, account: sql`null::uuid` });
  const { rows } = await sql<{
    ids: string[];
  }>`select array(select unnest(${ids}) intersect select unnest(group_ids) from policies where tenant_id = ${tenantId}) as ids
    from unnest(${people.map(({ email }) => email)}::text[], ${people.map(({ tlf }) => tlf)}::text[]) with ordinality p(email, tlf, place)
    order by p.place`.execute(tx);
  return people.map((person, at) => ({ ...person, groupIds: rows[at]?.ids ?? [] }));
};
