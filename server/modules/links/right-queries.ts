import { handsOn, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { factsOfActor } from '../../held.ts';

/** Of a link's row, what says in whose right it opens. */
export type Answered = {
  tenant_id: string;
  purpose: LinkPurpose;
  locker_ids: readonly string[];
  created_by: Actor;
  taken_over_by: Actor | null;
};
/** In whose right it opens: its maker's, or that of who took it over. */
export const answererOf = ({ created_by, taken_over_by }: Pick<Answered, 'created_by' | 'taken_over_by'>): Actor =>
  taken_over_by ?? created_by;

/** Lockers that a link opens, each with the services that it opens them for. */
export type Reach = ReadonlyMap<string, readonly Service[]>;

/** For several links at once what each opens now: everybody who answers for one is asked for once. */
export const reachOf = async (tx: Tx, links: readonly Answered[], now: string): Promise<Reach[]> => {
  const facts = new Map<string, Facts>();
  const keyOf = ({ kind, id }: Actor): string => `${kind}:${id ?? ''}`;
  const reaches: Reach[] = [];
  for (const link of links) {
    const actor = answererOf(link);
    const held = facts.get(keyOf(actor)) ?? (await factsOfActor(tx, link.tenant_id, actor, now));
    facts.set(keyOf(actor), held);
    const doors = link.locker_ids.map((id) => [id, handsOn(link.purpose, id, held)] as const);
    reaches.push(new Map(doors.filter(([, services]) => services.length > 0)));
  }
  return reaches;
};

export const reachOfLink = async (tx: Tx, link: Answered, now: string): Promise<Reach> =>
  (await reachOf(tx, [link], now))[0] ?? new Map<string, readonly Service[]>();
