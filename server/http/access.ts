import type { Access, Area } from '@hatchway/contract/route.ts';
import {
  ADMIN_NOUNS,
  mayAdminister,
  mayBuildAnywhere,
  mayEnter,
  mayHaveKeys,
  mayMovePayments,
  mayPostOrders,
  mayReadPayments,
  mayUseService,
  mayWriteAssets,
  type Facts,
} from '@hatchway/domain/access.ts';
import { mayRaise } from '@hatchway/domain/granting.ts';
import { OCCUPATION_TYPES } from '@hatchway/domain/terms.ts';
import type { Caller } from './caller.ts';
import { Problem } from './problem.ts';

const anyService = (facts: Facts): boolean => OCCUPATION_TYPES.some((type) => mayUseService(type, facts));
const lockControl = (facts: Facts): boolean => mayUseService('lock-control', facts);

/** Whether a call of the area can be theirs at all; what they may do to one row is asked in its command. */
const AREA_RULES = {
  occupations: anyService,
  doors: (facts) => anyService(facts) || lockControl(facts),
  'lock-control': lockControl,
  'assets.write': mayWriteAssets,
  builder: (facts) => mayBuildAnywhere(facts) || facts.scopes.includes('manage'),
  storefront: (facts) => mayUseService('storefront', facts),
  orders: mayPostOrders,
  'payments.read': mayReadPayments,
  'payments.write': mayMovePayments,
  keys: mayHaveKeys,
  ...(Object.fromEntries(ADMIN_NOUNS.map((noun) => [`admin:${noun}`, (facts: Facts) => mayAdminister(noun, facts)])) as Record<
    `admin:${(typeof ADMIN_NOUNS)[number]}`,
    (facts: Facts) => boolean
  >),
} satisfies Record<Area, (facts: Facts) => boolean>;
const RULES = {
  ...AREA_RULES,
  portal: mayEnter,
  company: (facts: Facts) => mayEnter(facts) || mayAdminister('companies', facts),
};

/** Throws `forbidden` where these roles or scopes are more than the caller may give: a key raises nobody above itself. */
export const throwUnlessRaises = (to: { roles?: readonly string[]; scopes?: readonly string[] }, facts: Facts, pointer?: string): void => {
  if (mayRaise(to, facts)) return;
  const detail = 'more than the caller holds';
  throw new Problem('forbidden', 'That would let somebody do more than you may', pointer ? { errors: [{ pointer, detail }] } : {});
};

/**
 * Throws Problem where the caller, as the database knows them now, may not make such a call: `company-gone` for the token of a
 * company that was deleted, `unauthenticated` for that of one that they left, `forbidden` for a key on what is a person's own (a key is no person), `suspended`, or `forbidden`.
 */
export const mayCall = (access: Access, caller: Caller): void => {
  if (access === 'public' || access === 'operator') return;
  if (caller.gone) throw new Problem('company-gone');
  if (caller.tenantId !== '' && !caller.member) throw new Problem('unauthenticated');
  if (access === 'signed-in' || (access === 'company' && caller.kind === 'person')) {
    if (caller.kind === 'key') throw new Problem('forbidden');
    return;
  }
  if (caller.suspended) throw new Problem('suspended');
  const allowed = RULES[access](caller.facts);
  if (!allowed) throw new Problem('forbidden');
};
