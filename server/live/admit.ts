import type { IncomingMessage } from 'node:http';
import { isTenantId, mayEnter } from '@hatchway/domain/access.ts';
import type { Deps } from '../deps.ts';
import { loadCaller, personOf, type Caller } from '../http/caller.ts';
import type { Person } from './connection.ts';

export type Admitted = { token: string; person: Person; tenantId: string; caller: Caller };
export type Refused = { status: 401 | 403 | 503 };

/** The access token goes as subprotocol: a browser can put it nowhere else. */
const offeredToken = (request: IncomingMessage): string => (request.headers['sec-websocket-protocol'] ?? '').split(',')[0]?.trim() ?? '';

/**
 * Who may open a live socket: a person with portal access, from a page of ours. A browser always says which page it was, so a request
 * without Origin comes from no page; another page's Origin is refused. API keys are no tokens of the issuer and fall with 401.
 */
export const admit = async (deps: Deps, request: IncomingMessage): Promise<Admitted | Refused> => {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== new URL(deps.config.publicUrl).origin) return { status: 403 };
  const token = offeredToken(request);
  const person = token ? await personOf(deps, token).catch(() => null) : null;
  if (!person) return { status: 401 };
  const { tenantId } = person;
  if (!isTenantId(tenantId)) return { status: 403 };
  const caller = await deps.db.tenant(tenantId, (tx) => loadCaller(tx, person, deps.now().toISOString()));
  if (caller.gone) return { status: 403 };
  // As on every call: a token of a company that they left proves nothing.
  if (!caller.member) return { status: 401 };
  return caller.suspended || !mayEnter(caller.facts) ? { status: 403 } : { token, person, tenantId, caller };
};
