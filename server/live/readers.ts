import type { LiveKind } from '@hatchway/contract/live.ts';
import {
  historyReach,
  NOBODY,
  mayActOnOccupation,
  mayBuild,
  mayAdminister,
  mayHaveKeys,
  mayReadEvent,
  mayReadPayments,
  mayUseService,
  mayReadReference,
  maySeeLocker,
  maySeeOccupation,
  seesAllLockers,
  seesAllSites,
  type AdminNoun,
  type Facts,
} from '@hatchway/domain/access.ts';
import { LICENSES, SCOPES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { listAssetGroups } from '../modules/asset-groups/queries.ts';
import { assetsByIds, unheld } from '../modules/assets/queries.ts';
import { labelsByIds } from '../modules/assets/status-label-queries.ts';
import { cabinetById, sitesByIds } from '../modules/cabinets/queries.ts';
import { invitationsByIds } from '../modules/companies/invitation-queries.ts';
import { listMemberships } from '../modules/companies/membership-queries.ts';
import { company, shownTo } from '../modules/companies/queries.ts';
import { listGroups as listDirectoryGroups, listPeople } from '../modules/directory/queries.ts';
import { listGroups, unnamed } from '../modules/groups/queries.ts';
import { integrationsByIds } from '../modules/integrations/queries.ts';
import { keysByIds } from '../modules/keys/queries.ts';
import { linksByIds } from '../modules/links/queries.ts';
import { eventsByIds, ofTheirs } from '../modules/history/queries.ts';
import { lockersByIds } from '../modules/lockers/queries.ts';
import { messagesByIds } from '../modules/messages/queries.ts';
import { listTemplates } from '../modules/messages/template-queries.ts';
import { occupationsByIds } from '../modules/occupations/queries.ts';
import { listPayments } from '../modules/payments/queries.ts';
import { storefrontOf } from '../modules/shop/queries.ts';
import { listPermissions } from '../modules/permissions/queries.ts';
import { listPolicies } from '../modules/policies/queries.ts';
import { deliveriesByIds, listWebhooks } from '../modules/webhooks/queries.ts';
import type { Scope } from '../scope.ts';

/** A row as it goes over the wire, and who may have it. `reduced` is what some of those get in its place. */
export type Seen = {
  id: string;
  data: Record<string, unknown>;
  sees: (facts: Facts) => boolean;
  reduced?: { data: Record<string, unknown>; for: (facts: Facts) => boolean };
};
export type Reader = {
  /** Once for each change, whoever listens. */
  read: (tx: Tx, scope: Scope, ids: string[], deps: Pick<Deps, 'seal' | 'pace' | 'config'>) => Promise<Seen[]>;
  /** Whether somebody who may not see it now may have seen it before this change; `lockers` are those that changed with it. */
  saw: (facts: Facts, id: string, lockers: readonly string[]) => boolean;
};

const all = (sees: (facts: Facts) => boolean, rows: readonly ({ id: string } | { _id: string })[]): Seen[] =>
  rows.map((row) => ({ id: 'id' in row ? row.id : row._id, data: { ...row }, sees }));

const simple = (
  sees: (facts: Facts) => boolean,
  read: (tx: Tx, tenantId: string, ids: string[]) => Promise<({ id: string } | { _id: string })[]>,
): Reader => ({
  read: async (tx, { tenantId }, ids) => all(sees, await read(tx, tenantId, ids)),
  saw: sees,
});
const administers =
  (noun: AdminNoun) =>
  (facts: Facts): boolean =>
    mayAdminister(noun, facts);
const sells = (facts: Facts): boolean => mayUseService('storefront', facts);
const among = (ids: string[]) => ({ q: { id: { $in: ids } }, limit: ids.length, sort: '-createdAt' });
const among_ = (ids: string[]) => ({ ...among(ids), q: { _id: { $in: ids } } });

/** Reads an occupation with all its actions; who may have them is asked for each listener. */
const WHOLE: Facts = { roles: ['admin', 'all'], licenses: [...LICENSES], scopes: [...SCOPES], lockers: 'all' };

export const READERS: Readonly<Record<LiveKind, Reader>> = {
  lockers: {
    read: async (tx, { tenantId }, ids) =>
      (await lockersByIds(tx, tenantId, ids)).map((locker) => ({
        id: locker.id,
        data: locker,
        sees: (facts) => maySeeLocker(locker.id, facts),
      })),
    saw: (facts, id) => maySeeLocker(id, facts),
  },
  cabinets: {
    read: async (tx, { tenantId }, ids) => {
      const cabinets = await Promise.all(ids.map((id) => cabinetById(tx, tenantId, id)));
      return cabinets
        .filter((cabinet) => cabinet !== null)
        .map((cabinet) => ({
          id: cabinet.id,
          data: cabinet,
          sees: (facts) =>
            seesAllLockers(facts) || cabinet.columns.some(({ doors }) => doors.some(({ lockerId }) => maySeeLocker(lockerId, facts))),
        }));
    },
    saw: (facts, _id, lockers) => seesAllLockers(facts) || lockers.some((locker) => maySeeLocker(locker, facts)),
  },
  sites: {
    read: async (tx, { tenantId }, ids) =>
      (await sitesByIds(tx, tenantId, ids)).map(({ site, sees }) => ({ id: site.id, data: site, sees })),
    // Of a site that is gone nobody has a locker.
    saw: seesAllSites,
  },
  history: {
    read: async (tx, { tenantId }, ids) =>
      (await eventsByIds(tx, tenantId, ids)).map(({ event, place }) => ({
        id: event.id,
        data: event,
        sees: (facts) => mayReadEvent(place, facts),
        reduced: { data: ofTheirs(event), for: (facts) => !seesAllLockers(facts) },
      })),
    saw: () => false,
  },
  occupations: {
    read: async (tx, scope, ids, { pace: silences }) =>
      (await occupationsByIds(tx, { scope, facts: WHOLE, silences }, ids)).map((row) => ({
        id: row.id,
        data: row,
        sees: (facts) => maySeeOccupation(row, facts),
        reduced: { data: { ...row, actions: [] }, for: (facts) => !mayActOnOccupation(row, facts) },
      })),
    // Moved into another locker, it may have left the sight of those who see one of the two.
    saw: (facts, _id, lockers) => {
      const reach = historyReach(facts);
      return !reach.all && lockers.some((id) => reach.lockerIds.includes(id));
    },
  },
  messages: {
    read: async (tx, { tenantId }, ids) =>
      (await messagesByIds(tx, tenantId, ids)).map(({ message, sees }) => ({ id: message.id, data: message, sees })),
    saw: () => false,
  },
  memberships: simple(administers('memberships'), async (tx, tenantId, ids) => (await listMemberships(tx, tenantId, among(ids))).rows),
  invitations: {
    read: async (tx, scope, ids) => all(administers('invitations'), await invitationsByIds(tx, scope, ids)),
    saw: administers('invitations'),
  },
  permissions: simple(administers('permissions'), async (tx, tenantId, ids) => (await listPermissions(tx, tenantId, among(ids))).rows),
  groups: {
    read: async (tx, { tenantId }, ids) =>
      (await listGroups(tx, tenantId, WHOLE, among(ids))).rows.map((row) => ({
        id: row.id,
        data: row,
        sees: mayReadReference,
        reduced: { data: unnamed(row), for: (facts) => !mayAdminister('groups', facts) },
      })),
    saw: mayReadReference,
  },
  policies: simple(mayReadReference, async (tx, tenantId, ids) => (await listPolicies(tx, tenantId, among_(ids))).rows),
  keys: simple(mayHaveKeys, keysByIds),
  webhooks: simple(administers('webhooks'), async (tx, tenantId, ids) => (await listWebhooks(tx, tenantId, among(ids))).rows),
  deliveries: simple(administers('webhooks'), deliveriesByIds),
  integrations: {
    read: async (tx, { tenantId }, ids, { seal }) => all(administers('integrations'), await integrationsByIds(tx, seal, tenantId, ids)),
    saw: administers('integrations'),
  },
  'directory-people': simple(administers('integrations'), async (tx, tenantId, ids) => (await listPeople(tx, tenantId, among(ids))).rows),
  'directory-groups': simple(
    administers('integrations'),
    async (tx, tenantId, ids) => (await listDirectoryGroups(tx, tenantId, among(ids))).rows,
  ),
  templates: simple(administers('templates'), async (tx, tenantId, ids) =>
    (await listTemplates(tx, tenantId)).filter((template) => ids.includes(template.id)),
  ),
  statuslabels: simple(mayReadReference, labelsByIds),
  companies: {
    read: async (tx, { tenantId }) => {
      const row = await company(tx, tenantId);
      const reduced = row && { data: shownTo(row, NOBODY), for: (facts: Facts) => !mayAdminister('companies', facts) };
      return row && reduced ? [{ id: row.id, data: row, sees: () => true, reduced }] : [];
    },
    saw: () => false,
  },
  payments: simple(mayReadPayments, async (tx, tenantId, ids) => (await listPayments(tx, tenantId, among_(ids))).rows),
  storefront: {
    read: async (tx, { tenantId, now }, _ids, deps) => all(sells, [await storefrontOf(tx, deps, tenantId, now)]),
    saw: sells,
  },
  links: {
    read: async (tx, { tenantId, now }, ids) =>
      (await linksByIds(tx, tenantId, ids, now)).map((link) => ({
        id: link.id,
        data: link,
        sees: (facts) => mayBuild(link.lockerIds, facts),
      })),
    saw: () => false,
  },
  assets: {
    read: async (tx, { tenantId }, ids) =>
      (await assetsByIds(tx, tenantId, ids)).map(({ asset, seesLoan }) => ({
        id: asset._id,
        data: asset,
        sees: mayReadReference,
        reduced: { data: unheld(asset), for: (facts) => !seesLoan(facts) },
      })),
    saw: mayReadReference,
  },
  'asset-groups': simple(mayReadReference, async (tx, tenantId, ids) => (await listAssetGroups(tx, tenantId, among(ids))).rows),
};
