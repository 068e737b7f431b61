import type { FastifyInstance } from 'fastify';
import { accounts } from '@hatchway/contract/people.ts';
import type { Deps } from '../../deps.ts';
import { absent } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { systemScope } from '../../scope.ts';
import { tellRenamed } from '../companies/membership-commands.ts';
import { membershipsOf } from '../companies/queries.ts';
import { changeOwnAccount, listAccounts, oneMember, ownAccount } from './queries.ts';

export const accountModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, accounts, {
    'GET /accounts': ({ tx, caller, query }) => listAccounts(tx, caller.tenantId, query),
    'GET /accounts/me': {
      outside: async ({ caller }) => {
        const { account, memberships } = await deps.db.account(caller.accountId, async (tx) => ({
          account: await ownAccount(tx, caller.accountId),
          memberships: await membershipsOf(tx, caller.accountId),
        }));
        const { roles, licenses, scopes, lockers } = caller.facts;
        const mutable =
          lockers === 'all' ? ('all' as const) : Object.fromEntries(Object.entries(lockers).map(([id, held]) => [id, [...held]]));
        return {
          account,
          memberships,
          tenantId: caller.tenantId || null,
          roles: [...roles],
          licenses: [...licenses],
          scopes: [...scopes],
          lockers: mutable,
        };
      },
    },
    'PUT /accounts/me': {
      outside: async ({ caller, body, now }) => {
        const { accountId } = caller;
        const { account, companies } = await deps.db.account(accountId, async (tx) => {
          const before = await ownAccount(tx, accountId);
          const after = await changeOwnAccount(tx, accountId, body, now);
          return { account: after, companies: after.name === before.name ? [] : await membershipsOf(tx, accountId) };
        });
        for (const { tenantId } of companies)
          await deps.db.tenant(tenantId, (tx) => tellRenamed(tx, systemScope(tenantId, now), accountId));
        deps.outbox.wake();
        return account;
      },
    },
    'PUT /accounts/me/company': {
      outside: async ({ caller, body }) => {
        if (!(await deps.identity.chooseCompany(caller.session, caller.accountId, body.tenantId))) throw absent();
      },
    },
    'GET /accounts/{id}': ({ tx, caller, params }) => oneMember(tx, caller.tenantId, params.id),
  });
};
