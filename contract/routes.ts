import { groups, keys, permissions } from './access.ts';
import { assetTools } from './asset-tool.ts';
import { assetGroups } from './asset-groups.ts';
import { assets, statusLabels } from './assets.ts';
import { sites } from './cabinets.ts';
import { directory } from './directory.ts';
import { doors } from './doors.ts';
import { exports } from './exports.ts';
import { history, messages, receivers, stats, types } from './history.ts';
import { loans } from './loans.ts';
import { entraIntegration } from './entra.ts';
import { integrations } from './integrations.ts';
import { links } from './links.ts';
import { lockers } from './lockers.ts';
import { occupations } from './occupations.ts';
import { payments } from './payments.ts';
import { operator } from './operator.ts';
import { accounts, companies } from './people.ts';
import { offers } from './offers.ts';
import { pickups } from './pickup.ts';
import { policies } from './policies.ts';
import { templates } from './templates.ts';
import { shops } from './shop.ts';
import { webhooks } from './webhooks.ts';
import { system } from './system.ts';

/** Every call of the API. What is missing here cannot be served. */
export const routes = [
  ...operator,
  ...accounts,
  ...companies,
  ...types,
  ...occupations,
  ...payments,
  ...entraIntegration,
  ...integrations,
  ...directory,
  ...assetTools,
  ...lockers,
  ...doors,
  ...sites,
  ...links,
  ...assets,
  ...loans,
  ...statusLabels,
  ...assetGroups,
  ...policies,
  ...history,
  ...exports,
  ...messages,
  ...templates,
  ...webhooks,
  ...receivers,
  ...stats,
  ...system,
  ...keys,
  ...groups,
  ...permissions,
  ...pickups,
  ...offers,
  ...shops,
] as const;

export type Routes = (typeof routes)[number];
