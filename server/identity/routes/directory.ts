import crypto from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Identity } from '../context.ts';
import { personOf } from '../directory.ts';
import { BASE } from '../options.ts';
import { directoryPage, type DirectoryFault } from '../pages/directory.ts';
import { errorPage } from '../pages/outcome.ts';
import { replyPage } from '../pages/send.ts';
import { isSame } from '../../seal.ts';
import { interactionOf, progressOf, remember } from '../progress.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Back = { Querystring: { state?: string; code?: string; error?: string } };

/** One address for every sign-in, as it is registered with the application (docs/operations.md). */
const BACK = `${BASE}/directory`;
const redirectUri = ({ origin }: Identity): string => origin + BACK;
const random = (): string => crypto.randomBytes(32).toString('base64url');

/** Sends somebody to the directory; what comes back is held against what is kept with their sign-in. `tid`: `organizations` where it is not known. */
export async function leaveForDirectory(
  identity: Identity,
  reply: FastifyReply,
  interaction: Interaction,
  { tid, loginHint }: { tid: string; loginHint: string },
): Promise<FastifyReply> {
  const { entra } = identity;
  if (entra === null) throw new Error('no application is registered');
  const directory = { tid, state: `${interaction.uid}.${random()}`, nonce: random(), verifier: random() };
  await remember(interaction, { directory });
  const address = entra.signInAddress(tid, { ...directory, redirectUri: redirectUri(identity), loginHint: loginHint || undefined });
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

/** The way back in: the code is exchanged here, and tid and oid of the verified token say whose account it is. No address of an e-mail does. */
export function directoryRoutes(scope: FastifyInstance, identity: Identity): void {
  const { provider, run, entra, portal, log } = identity;

  // The sign-in's cookie belongs to its own address, which stands in the state.
  scope.get<Back>(BACK, (request, reply) => {
    const { state = '' } = request.query;
    const [, uid] = /^([\w-]{8,64})\.[\w-]{43}$/.exec(state) ?? [];
    if (uid === undefined) return replyPage(request, reply, errorPage('session_not_found', portal));
    const query = new URL(request.url, 'http://here').search;
    return reply.header('cache-control', 'no-store').redirect(`${BASE}/login/${uid}/directory${query}`, 303);
  });

  const refuse = (request: FastifyRequest, reply: FastifyReply, uid: string, fault: DirectoryFault) => {
    log.info({ fault }, 'a sign-in by directory was refused');
    return replyPage(request, reply, directoryPage(uid, fault));
  };

  scope.get<Back & { Params: { uid: string } }>(`${BASE}/login/:uid/directory`, async (request, reply) => {
    const interaction = await interactionOf(provider, request, reply);
    const begun = interaction && progressOf(interaction).directory;
    const { state = '', code = '', error = '' } = request.query;
    if (entra === null || !interaction || !begun || !isSame(begun.state, state))
      return replyPage(request, reply, errorPage('session_not_found', portal));
    const { uid } = interaction;
    // Once, whatever comes of it.
    await remember(interaction, {});
    if (error !== '' || code === '') return refuse(request, reply, uid, 'denied');
    const said = await entra.signedIn(begun.tid, code, { ...begun, redirectUri: redirectUri(identity) });
    if (said.kind !== 'ok') return refuse(request, reply, uid, said.kind === 'away' ? 'away' : 'refused');
    const { tid, oid } = said.value;
    const person = await run((tx) => personOf(tx, tid, oid));
    if (person === null) return refuse(request, reply, uid, 'not-connected');
    if (person.accountId === null) return refuse(request, reply, uid, 'not-taken');
    // Whoever turned a second factor on here shows it too: the directory may have taken their account over by its address.
    await remember(interaction, { accountId: person.accountId, only: person.tenantId });
    return reply.redirect(`${BASE}/login/${uid}`, 303);
  });
}
