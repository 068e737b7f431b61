import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import type { EntraConfig } from '../config.ts';
import type { Outside } from '../outside/fetch.ts';
import { OutsideError } from '../outside/fetch.ts';
import { jsonOf } from './said.ts';
import { plainError } from './sent.ts';

/**
 * Microsoft's login and Graph v1.0, by MicrosoftDocs/entra-docs (docs/identity-platform/v2-admin-consent, v2-protocols-oidc,
 * v2-oauth2-client-creds-grant-flow, id-token-claims-reference) and microsoftgraph/microsoft-graph-docs (concepts/delta-query-overview,
 * delta-query-groups; api-reference/v1.0/api/user-delta, group-delta). The paths, bodies and claims are theirs.
 */

/**
 * What the directory answered. `gone`: it no longer knows what was read before, and all is to be read anew. `away`: it may answer later,
 * `afterS` seconds from now where it says so. `refused`: it said no, and goes on saying no until somebody changes something.
 */
export type EntraSaid<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'gone' }
  | { kind: 'away'; error: string; afterS: number | null }
  | { kind: 'refused'; error: string };

export type EntraUser = {
  id: string;
  userName: string;
  displayName: string;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  /** As it was typed there. */
  phone: string | null;
  active: boolean;
};
/** `isKept`: a person, or a group within the group; devices and applications are nobody here. */
export type EntraGroup = { id: string; displayName: string | null; members: { id: string; isKept: boolean; isGone: boolean }[] };
/**
 * One page of changes; `next` leads to the following one, `done` is kept for the next round. Exactly one of the two is there. `unread`: so
 * many things were told that we could not read, and of which nothing is known.
 */
export type Changes<T> = Read<T> & { next: string | null; done: string | null };
type Read<T> = { found: T[]; gone: string[]; unread: number };

export type EntraReader = {
  users: (link: string | null) => Promise<EntraSaid<Changes<EntraUser>>>;
  groups: (link: string | null) => Promise<EntraSaid<Changes<EntraGroup>>>;
  /** Its name, which also shows that we are let in. */
  organization: () => Promise<EntraSaid<string>>;
};

export type SignedIn = { tid: string; oid: string; name: string; userName: string; isAdmin: boolean };
type Back = { redirectUri: string };

const SELECT = 'displayName,givenName,surname,userPrincipalName,mail,mobilePhone,accountEnabled';
const GRAPH_SCOPE = 'https://graph.microsoft.com/.default';
/**
 * Who may let an application in for a whole directory: Global, Privileged Role, Cloud Application and Application Administrator, by
 * MicrosoftDocs/entra-docs (docs/identity/role-based-access-control/permissions-reference).
 */
const ADMINS = [
  '62e90394-69f5-4237-9190-012177145e10',
  'e8611ab8-c189-46e8-94e1-60213ab1f814',
  '158c047a-c907-4556-b7ef-446551a6b5f7',
  '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3',
];
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SKEW_S = 60;

const text = z.string().nullish();
const id = z.string().regex(GUID).transform((value) => value.toLowerCase()); // prettier-ignore
/** Whatever stands in it, and however the rest of its row looks: it is a removal. */
const isTold = (value: unknown): boolean => value !== undefined && value !== null;
const removal = z.object({ id, '@removed': z.unknown().refine(isTold) });
const user = z.object({
  id,
  displayName: text,
  givenName: text,
  surname: text,
  userPrincipalName: text,
  mail: text,
  mobilePhone: text,
  accountEnabled: z.boolean().nullish(),
});
const group = z.object({
  id,
  displayName: text,
  'members@delta': z.array(z.unknown()).optional(),
});
const member = z.object({ '@odata.type': text.catch(null), id, '@removed': z.unknown().optional() });
const page = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
const organization = z.object({ id, displayName: text });
const token = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const idToken = z.object({ id_token: z.string().min(1) });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
const claims = z.object({
  tid: id,
  oid: id,
  nonce: z.string(),
  name: text,
  preferred_username: text,
  wids: z.array(z.string()).optional(),
});
const oauthFault = z.object({ error: z.string(), error_description: text, error_codes: z.array(z.number()).optional() });
const graphFault = z.object({ error: z.object({ code: z.string(), message: text }) });

const short = (told: string | null | undefined): string | null => told?.trim().slice(0, 200) || null;
/** Seconds, or a date; at most an hour, whatever is said. */
const waitOf = (told: string | undefined): number | null => {
  const seconds = told === undefined ? Number.NaN : /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(3600, Math.max(1, Math.ceil(seconds)));
};

/** What it says is wrong, in one line without secrets; the words that a person can act on have a name of ours. */
const reasonOf = (status: number, body: Buffer): string => {
  const told = jsonOf(body);
  const oauth = oauthFault.safeParse(told);
  if (oauth.success) {
    const [code] = oauth.data.error_codes ?? [];
    if (oauth.data.error === 'invalid_client') return 'application-refused';
    if (oauth.data.error === 'unauthorized_client') return 'consent-missing';
    if (code === 90002) return 'directory-unknown';
    return plainError(`${status} · ${oauth.data.error}${code === undefined ? '' : ` · AADSTS${code}`}`, '');
  }
  const graph = graphFault.safeParse(told);
  if (graph.success && status === 403) return 'consent-missing';
  return graph.success ? plainError(`${status} · ${graph.data.error.code}`, '') : `${status}`;
};

/** Each row is a removal, something that we understand, or unread. */
const sorted = <R, T>(rows: readonly unknown[], schema: z.ZodType<R>, of: (row: R) => T): Read<T> => {
  const read: Read<T> = { found: [], gone: [], unread: 0 };
  for (const row of rows) {
    const gone = removal.safeParse(row);
    const said = schema.safeParse(row);
    if (gone.success) read.gone.push(gone.data.id);
    else if (said.success) read.found.push(of(said.data));
    else read.unread += 1;
  }
  return read;
};

const usersOf = (rows: readonly unknown[]): Read<EntraUser> =>
  sorted(rows, user, (data) => ({
    id: data.id,
    userName: short(data.userPrincipalName) ?? data.id,
    displayName: short(data.displayName) ?? '',
    givenName: short(data.givenName),
    familyName: short(data.surname),
    email: short(data.mail) ?? (data.userPrincipalName?.includes('#EXT#') ? null : short(data.userPrincipalName)),
    phone: short(data.mobilePhone),
    // Always told; where it once were not, nobody is let in for that.
    active: data.accountEnabled === true,
  }));
const groupsOf = (rows: readonly unknown[]): Read<EntraGroup> => {
  let unread = 0;
  const read = sorted(rows, group, (data): EntraGroup => {
    const said = (data['members@delta'] ?? []).map((row) => member.safeParse(row));
    unread += said.filter(({ success }) => !success).length;
    const members = said.flatMap(({ data: one }) =>
      one === undefined
        ? []
        : {
            id: one.id,
            isKept: /\.(user|group)$/.test(one['@odata.type'] ?? '#microsoft.graph.user'),
            isGone: isTold(one['@removed']),
          },
    );
    return { id: data.id, displayName: short(data.displayName), members };
  });
  return { ...read, unread: read.unread + unread };
};

export type Entra = ReturnType<typeof openEntra>;

/** The operator's application at Microsoft. Its keys are the operator's, so nothing here is a company's secret. */
export const openEntra = (outside: Outside, config: EntraConfig, now: () => Date) => {
  const { clientId, clientSecret, loginUrl, graphUrl } = config;
  const tokens = new Map<string, { token: string; until: number }>();
  let keys: { set: JSONWebKeySet; at: number } | null = null;

  const call = async <T>(
    url: string,
    schema: z.ZodType<T>,
    request: Parameters<Outside['fetch']>[1],
  ): Promise<EntraSaid<T> & { status?: number }> => {
    let answer: Awaited<ReturnType<Outside['fetch']>>;
    try {
      answer = await outside.fetch(url, request);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return { kind: 'away', error: error.message, afterS: null };
    }
    const { status, headers, body } = answer;
    if (status === 200) {
      const said = schema.safeParse(jsonOf(body));
      return said.success ? { kind: 'ok', value: said.data } : { kind: 'away', error: 'not-understood', afterS: null };
    }
    const told = graphFault.safeParse(jsonOf(body));
    // Both are in its documents: 410, and 400 with this code.
    if (status === 410 || (told.success && told.data.error.code.toLowerCase() === 'syncstatenotfound')) return { kind: 'gone' };
    const error = reasonOf(status, body);
    if (status === 429 || status >= 500 || status === 408)
      return { kind: 'away', error: status === 429 ? 'throttled' : error, afterS: waitOf(headers['retry-after']) };
    return { kind: 'refused', error, status };
  };
  const form = <T>(tid: string, schema: z.ZodType<T>, values: Record<string, string>) =>
    call(`${loginUrl}/${tid}/oauth2/v2.0/token`, schema, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...values }).toString(),
    });

  const tokenOf = async (tid: string): Promise<EntraSaid<string>> => {
    const known = tokens.get(tid);
    if (known && known.until > now().getTime()) return { kind: 'ok', value: known.token };
    const said = await form(tid, token, { grant_type: 'client_credentials', scope: GRAPH_SCOPE });
    if (said.kind !== 'ok') return said;
    const { access_token: value, expires_in: lives } = said.value;
    tokens.set(tid, { token: value, until: now().getTime() + Math.max(0, lives - SKEW_S) * 1000 });
    return { kind: 'ok', value };
  };
  /** A token that is refused before its time is asked for once more. */
  const graph = async <T>(tid: string, url: string, schema: z.ZodType<T>): Promise<EntraSaid<T>> => {
    for (const isLast of [false, true]) {
      const bearer = await tokenOf(tid);
      if (bearer.kind !== 'ok') return bearer;
      const said = await call(url, schema, { headers: { authorization: `Bearer ${bearer.value}`, accept: 'application/json' } });
      if (said.kind !== 'refused' || said.status !== 401) return said;
      tokens.delete(tid);
      if (isLast) return said;
    }
    throw new Error('unreachable');
  };
  const changes = async <T>(tid: string, link: string, read: (rows: readonly unknown[]) => Read<T>): Promise<EntraSaid<Changes<T>>> => {
    // A link is the directory's own word, and our token goes with it: to Graph alone.
    if (!link.startsWith(`${graphUrl}/`)) return { kind: 'gone' };
    const said = await graph(tid, link, page);
    if (said.kind !== 'ok') return said;
    const { value, '@odata.nextLink': next = null, '@odata.deltaLink': done = null } = said.value;
    if ((next === null) === (done === null)) return { kind: 'away', error: 'not-understood', afterS: null };
    return { kind: 'ok', value: { ...read(value), next, done } };
  };

  const keysOf = async (isAnew: boolean): Promise<EntraSaid<JSONWebKeySet>> => {
    if (!isAnew && keys !== null && now().getTime() - keys.at < 24 * 3600_000) return { kind: 'ok', value: keys.set };
    const said = await call(`${loginUrl}/common/discovery/v2.0/keys`, keySet, { headers: { accept: 'application/json' } });
    if (said.kind === 'ok') keys = { set: said.value, at: now().getTime() };
    return said;
  };

  /** Who a token says signed in, once its signature, issuer, audience, time and nonce are seen to be right; null for any other. */
  const verified = async (jwt: string, nonce: string, set: JSONWebKeySet): Promise<SignedIn | null> => {
    try {
      const { payload } = await jwtVerify(jwt, createLocalJWKSet(set), {
        audience: clientId,
        algorithms: ['RS256'],
        currentDate: now(),
        clockTolerance: SKEW_S,
        requiredClaims: ['exp', 'iat', 'iss'],
      });
      const said = claims.safeParse(payload);
      if (!said.success || said.data.nonce !== nonce || payload.iss !== `${loginUrl}/${said.data.tid}/v2.0`) return null;
      const { tid, oid, name, preferred_username: userName, wids = [] } = said.data;
      return { tid, oid, name: short(name) ?? '', userName: short(userName) ?? '', isAdmin: wids.some((one) => ADMINS.includes(one)) };
    } catch {
      return null;
    }
  };

  return {
    loginOrigin: new URL(loginUrl).origin,
    reader: (tid: string): EntraReader => ({
      users: (link) => changes(tid, link ?? `${graphUrl}/v1.0/users/delta?$select=${SELECT}`, usersOf),
      // Without a selection: members come by default, and the documents differ on how else to ask for them.
      groups: (link) => changes(tid, link ?? `${graphUrl}/v1.0/groups/delta`, groupsOf),
      organization: async () => {
        // By its id, and not the list of the one that there is: for that Organization.Read.All is not enough (organization-list-permissions.md).
        const said = await graph(tid, `${graphUrl}/v1.0/organization/${tid}?$select=id,displayName`, organization);
        return said.kind === 'ok' ? { kind: 'ok', value: short(said.value.displayName) ?? '' } : said;
      },
    }),
    /** Where an administrator of that directory lets us in. */
    consentAddress: (tid: string, { redirectUri, state }: Back & { state: string }): string =>
      `${loginUrl}/${tid}/v2.0/adminconsent?${new URLSearchParams({ client_id: clientId, scope: GRAPH_SCOPE, redirect_uri: redirectUri, state }).toString()}`,
    /** Where somebody shows who they are. `verifier` is kept here; its hash goes along. */
    signInAddress: (
      tid: string,
      asked: Back & { state: string; nonce: string; verifier: string; loginHint?: string | undefined },
    ): string =>
      `${loginUrl}/${tid}/oauth2/v2.0/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        response_mode: 'query',
        scope: 'openid profile',
        redirect_uri: asked.redirectUri,
        state: asked.state,
        nonce: asked.nonce,
        code_challenge: createHash('sha256').update(asked.verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(asked.loginHint ? { login_hint: asked.loginHint } : {}),
      }).toString()}`,
    /** Who stands behind a code. Keys that do not fit are fetched anew once: they change without a word. */
    signedIn: async (
      tid: string,
      code: string,
      { redirectUri, nonce, verifier }: Back & { nonce: string; verifier: string },
    ): Promise<EntraSaid<SignedIn>> => {
      const said = await form(tid, idToken, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        scope: 'openid profile',
      });
      if (said.kind !== 'ok') return said;
      for (const isAnew of [false, true]) {
        const set = await keysOf(isAnew);
        if (set.kind !== 'ok') return set;
        const who = await verified(said.value.id_token, nonce, set.value);
        if (who) return { kind: 'ok', value: who };
      }
      return { kind: 'refused', error: 'token-refused' };
    },
  };
};
