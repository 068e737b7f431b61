import type { FastifyInstance } from 'fastify';
import { operator as operatorRoutes } from '@hatchway/contract/operator.ts';
import { companies as companyRoutes, type Company } from '@hatchway/contract/people.ts';
import { NOBODY } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { doneOnce, operatorOnce } from '../../http/idempotency.ts';
import { absent, Problem } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import type { Scope } from '../../scope.ts';
import { smsMonths } from '../messages/cost-queries.ts';
import { sendInvitation } from '../messages/invitation-commands.ts';
import { beginDeleting, changeCompany, createCompany, goOnDeleting } from './commands.ts';
import { changeDetails, removeLogo } from './details.ts';
import { exportCompany } from './export.ts';
import { invite, renewInvitation, throwIfInvited, withdrawInvitation, withdrawOperators } from './invitation-commands.ts';
import { listInvitations, oneInvitation } from './invitation-queries.ts';
import { changeRoles, removeMember } from './membership-commands.ts';
import { listMemberships } from './membership-queries.ts';
import { reconcile } from '../payments/reconcile-commands.ts';
import { companies, company, companyLogo, listCompanies, shownTo, standingCompany } from './queries.ts';

/** In another company than the one they are in, somebody reads what every member reads. */
const OPERATOR = { kind: 'system', id: null, name: 'Operator' } as const;

/** `{tenant}` is the caller's own, left empty too (by whoever reads it from no token); any other value is no company. */
const own = (tenant: string, caller: Caller): string => {
  if (tenant !== '' && tenant !== caller.tenantId) throw absent();
  return caller.tenantId;
};

type Admin = { email: string; tlf?: string | undefined };
/** The company and whoever shall run it come into being together: a number that is none leaves no company behind. */
const inviteAdmin = async (tx: Tx, deps: Deps, scope: Scope, { email, tlf }: Admin, of: Company) => {
  const invited = await invite(tx, deps, scope, { email, tlf, roles: ['admin'], country: of.country });
  await sendInvitation(tx, deps, scope, invited, of);
  // There is an address, and so a link by mail; whoever runs the service may hand it over too.
  return { invitation: invited.invitation, link: invited.links.mail ?? '' };
};

export const companyModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, operatorRoutes, {
    'GET /operator/companies': ({ tx, query }) => listCompanies(tx, query),
    'GET /operator/companies/{id}': async ({ tx, params }) => {
      const found = await company(tx, params.id);
      if (!found) throw absent();
      return found;
    },
    'POST /operator/companies': {
      outside: async ({ deps: { db }, body, headers, now }) => {
        const { tenantId, once } = operatorOnce(headers, '/operator/companies', body.id, body);
        const found = async (tx: Tx) => {
          const { name, licenses, country, admin } = body;
          const made = await createCompany(tx, { id: tenantId, name, licenses, country, seeded: deps.config.sandbox }, now);
          const { link } = await inviteAdmin(tx, deps, { tenantId, actor: OPERATOR, now }, admin, made);
          return { ...made, invitationUrl: link };
        };
        return db.founding(tenantId, (tx) => doneOnce(tx, once, now, () => found(tx)));
      },
    },
    'POST /operator/companies/{id}/invitations': {
      outside: async ({ deps: { db }, params, body, headers, now }) => {
        const { tenantId, once } = operatorOnce(headers, `/operator/companies/${params.id}/invitations`, params.id, body);
        const again = async (tx: Tx) => {
          const known = await standingCompany(tx, tenantId);
          const scope = { tenantId, actor: OPERATOR, now };
          await withdrawOperators(tx, scope);
          const { invitation, link } = await inviteAdmin(tx, deps, scope, body, known);
          return { ...invitation, invitationUrl: link };
        };
        return db.founding(tenantId, (tx) => doneOnce(tx, once, now, () => again(tx)));
      },
    },
    'PUT /operator/companies/{id}': {
      outside: async ({ params, body, now }) => {
        const scope = { tenantId: params.id, actor: OPERATOR, now };
        const changed = await deps.db.founding(params.id, (tx) => changeCompany(tx, scope, body));
        deps.outbox.wake();
        if (changed.suspendedAt) deps.bus.publish('company-ended', { tenantId: changed.id, gone: false });
        return changed;
      },
    },
    'GET /operator/companies/{id}/export': { outside: ({ params }) => exportCompany(deps, params.id) },
    'GET /operator/companies/{id}/reconcile': {
      outside: async ({ params, query }) => {
        await deps.db.founding(params.id, (tx) => standingCompany(tx, params.id));
        return reconcile(deps, params.id, query);
      },
    },
    'GET /operator/companies/{id}/sms': {
      outside: ({ params, now }) =>
        deps.db.founding(params.id, async (tx) => {
          await standingCompany(tx, params.id);
          return smsMonths(tx, params.id, now);
        }),
    },
    'GET /operator/identity': {
      outside: async () => ({ ...(await deps.identity.state()), issuer: deps.identity.issuer }),
    },
    'DELETE /operator/companies/{id}': {
      outside: async ({ params, now }) => {
        await deps.db.founding(params.id, (tx) => beginDeleting(tx, { tenantId: params.id, actor: OPERATOR, now }));
        deps.outbox.wake();
        await goOnDeleting(deps, params.id);
      },
    },
  });

  serve(app, deps, companyRoutes, {
    'GET /companies': {
      outside: async ({ caller }) => {
        // a key belongs to one company, whoever made it
        const theirs =
          caller.kind === 'key' ? await deps.db.tenant(caller.tenantId, companies) : await deps.db.account(caller.accountId, companies);
        return theirs.map((one) => shownTo(one, one.id === caller.tenantId ? caller.facts : NOBODY));
      },
    },
    'GET /companies/{tenant}': async ({ tx, params, caller }) => {
      const found = await company(tx, own(params.tenant, caller));
      if (!found) throw new Problem('no-document');
      return shownTo(found, caller.facts);
    },
    'PUT /companies/{tenant}': async ({ tx, params, body, image, caller, scope }) => {
      own(params.tenant, caller);
      return changeDetails(tx, scope, caller.facts, body, image);
    },
    'GET /companies/{tenant}/logo': ({ tx, params, query, caller }) => companyLogo(tx, own(params.tenant, caller), Number(query.size)),
    'DELETE /companies/{tenant}/logo': async ({ tx, params, caller, scope }) => {
      own(params.tenant, caller);
      return removeLogo(tx, scope);
    },
    'GET /companies/{tenant}/memberships': ({ tx, params, query, caller }) => listMemberships(tx, own(params.tenant, caller), query),
    'PUT /companies/{tenant}/memberships/{membershipId}': async ({ tx, params, body, caller, scope }) => {
      own(params.tenant, caller);
      return changeRoles(tx, deps, scope, caller.facts, params.membershipId, body);
    },
    'DELETE /companies/{tenant}/memberships/{membershipId}': async ({ tx, params, caller, scope, after }) => {
      const tenantId = own(params.tenant, caller);
      const accountId = await removeMember(tx, deps, scope, params.membershipId);
      after(
        () =>
          void deps.identity
            .endSignIns(accountId, tenantId)
            .catch((error: unknown) => deps.log.error({ err: error }, 'sign-ins could not be ended')),
      );
    },
    'GET /companies/{tenant}/invitations': ({ tx, params, query, caller, scope }) => {
      own(params.tenant, caller);
      return listInvitations(tx, scope, query);
    },
    'GET /companies/{tenant}/invitations/{id}': ({ tx, params, caller, scope }) => {
      own(params.tenant, caller);
      return oneInvitation(tx, scope, params.id);
    },
    'POST /companies/{tenant}/invitations': async ({ tx, params, body, caller, scope }) => {
      own(params.tenant, caller);
      throwUnlessRaises({ roles: body.roles }, caller.facts, '/roles');
      const known = await company(tx, caller.tenantId);
      const to = { ...body, country: known?.country ?? 'NO' };
      await throwIfInvited(tx, scope, to);
      const invited = await invite(tx, deps, scope, to);
      await sendInvitation(tx, deps, scope, invited, { name: known?.name ?? '', locale: known?.locale ?? 'nb' });
      return invited.invitation;
    },
    'POST /companies/{tenant}/invitations/{id}/resend': async ({ tx, params, caller, scope }) => {
      own(params.tenant, caller);
      const renewed = await renewInvitation(tx, deps, scope, params.id);
      throwUnlessRaises({ roles: renewed.invitation.roles }, caller.facts, '/roles');
      const known = await company(tx, caller.tenantId);
      await sendInvitation(tx, deps, scope, renewed, { name: known?.name ?? '', locale: known?.locale ?? 'nb' });
      return renewed.invitation;
    },
    'DELETE /companies/{tenant}/invitations/{id}': async ({ tx, params, caller, scope }) => {
      own(params.tenant, caller);
      await withdrawInvitation(tx, scope, params.id);
    },
  });
};
