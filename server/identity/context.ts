import { normalText } from '@hatchway/domain/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Entra } from '../providers/entra.ts';
import type { Credentials } from './credentials.ts';
import type { DemoPerson, Log, Mail, Text } from './options.ts';
import type { Sessions } from './sessions.ts';
import type { InIdentity } from './tables.ts';
import type { Tries } from './tries.ts';

/** What the provider's pages work with. */
export type Identity = {
  provider: Provider;
  run: InIdentity;
  credentials: Credentials;
  sessions: Sessions;
  tries: Tries;
  /** Settled once the sign-ins that the last transaction ended are known to be over. */
  told: () => Promise<void>;
  origin: string;
  /** Address of the portal that our pages lead to. */
  portal: string;
  portalOrigins: string[];
  sendMail: (mail: Mail) => Promise<void>;
  sendText: (text: Text) => Promise<void>;
  sandbox: boolean;
  demo: readonly DemoPerson[];
  entra: Entra | null;
  now: () => Date;
  log: Log;
};

export type Form = Record<string, string>;

/** What is kept as a hash of what was typed, sign by sign. */
const SECRETS = ['password', 'current'];

/** Fields of a posted form; a field that came twice or not at all is ''. */
export function formOf(request: FastifyRequest): (name: string) => string {
  const body = request.body as Form | null | undefined;
  return (name) => {
    const value = body?.[name];
    if (typeof value !== 'string') return '';
    return SECRETS.includes(name) ? value : normalText(value);
  };
}

/**
 * Forms are taken from our own pages alone. Cookies are SameSite=Lax already; this also stops a sign-in forced upon somebody.
 * Browsers say where a form comes from in Sec-Fetch-Site; older ones in Origin, which is "null" where no referrer may be sent.
 */
export function refuseForeignForms(origin: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST') return undefined;
    const site = request.headers['sec-fetch-site'];
    const from = request.headers.origin;
    const ours = site === undefined ? from === undefined || from === origin : site === 'same-origin';
    return ours ? undefined : reply.code(403).type('text/plain').send('This form belongs to another address.');
  };
}

/** The server forbids referrers everywhere; with that, browsers without Sec-Fetch-Site would hide the origin of our own forms. */
export async function keepOwnReferrer(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('referrer-policy', 'strict-origin');
}
