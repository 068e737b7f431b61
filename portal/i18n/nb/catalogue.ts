import type { en } from '../en/catalogue.ts';
import type { SameVariables, Translated } from '../shape.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { assetGroups } from './asset-groups.ts';
import { books } from './books.ts';
import { builder } from './builder.ts';
import { assets } from './assets.ts';
import { directory } from './directory.ts';
import { first } from './first.ts';
import { groups } from './groups.ts';
import { historyScreens } from './history-screens.ts';
import { integrations } from './integrations.ts';
import { keys } from './keys.ts';
import { links } from './links.ts';
import { lockers } from './lockers.ts';
import { manage } from './manage.ts';
import { members } from './members.ts';
import { moreProblems } from './more-problems.ts';
import { moreTerms } from './more-terms.ts';
import { occupations } from './occupations.ts';
import { pages } from './pages.ts';
import { payments } from './payments.ts';
import { permissions } from './permissions.ts';
import { policies } from './policies.ts';
import { beside } from './beside.ts';
import { storefront } from './storefront.ts';
import { table } from './table.ts';
import { templates } from './templates.ts';
import { webhooks } from './webhooks.ts';

/** Every text of the portal in Norwegian Bokmål. */
export const nb = {
  ...first,
  problems: { ...first.problems, ...moreProblems },
  terms: { ...first.terms, ...moreTerms },
  history: { ...first.history, ...historyScreens },
  account,
  admin,
  assetGroups,
  books,
  builder,
  assets,
  directory,
  groups,
  integrations,
  keys,
  links,
  lockers,
  manage,
  members,
  occupations,
  pages,
  payments,
  permissions,
  policies,
  beside,
  storefront,
  table,
  templates,
  webhooks,
} as const satisfies Translated<typeof en>;

/** Does not compile when a text names other variables than the English one does; the error shows its key. */
const sameVariables: [SameVariables<typeof en, typeof nb>] extends [never] ? true : SameVariables<typeof en, typeof nb> = true;
void sameVariables;
