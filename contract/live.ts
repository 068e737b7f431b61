/** The live socket's messages (`GET /live`, access token as subprotocol). Types alone: the server checks what comes in with live-schema.ts. */
export const LIVE_EVENTS = [
  'lockers',
  'occupations',
  'cabinets',
  'sites',
  'history',
  'messages',
  'payments',
  'storefront',
  'assets',
  'asset-groups',
  'permissions',
  'memberships',
  'links',
  'groups',
  'policies',
  'keys',
  'webhooks',
  'deliveries',
  'integrations',
  'templates',
  'statuslabels',
  'companies',
  'invitations',
  'directory-people',
  'directory-groups',
] as const;
export type LiveKind = (typeof LIVE_EVENTS)[number];
/** `event`: a kind, or one row of it (`lockers/{id}`). Who sends an `id` is answered by it; one that is no text of 1 to 200 characters is refused as `bad-id`. */
export type LiveClientMessage =
  | { topic: 'subscribe'; id?: string | undefined; event: string }
  | { topic: 'unsubscribe'; id?: string | undefined; event: string }
  | { topic: 'token'; id?: string | undefined; token: string }
  /** A line can die without a word to either end: whoever heard nothing for a while asks, and any answer will do. */
  | { topic: 'ping'; id?: string | undefined };
export type LiveServerMessage =
  /**
   * `quiet`, of a subscription: for so many ms nothing of that kind has changed in this company, as far as this server heard. Whoever
   * asked for rows within that time, and not before, has missed nothing.
   */
  | { topic: 'response'; id: string; error?: string; quiet?: number }
  | { topic: 'event'; subscription: string; method: 'POST' | 'PUT' | 'DELETE'; data: Record<string, unknown> };
/**
 * Close codes: the page must be loaded anew (new build, another company chosen, company suspended, membership or session ended); the token
 * ran out; the company was deleted, which a page that was loaded anew would know nothing of: its token is of no company.
 */
export const CLOSE_RELOAD = 4000;
export const CLOSE_TOKEN = 4001;
export const CLOSE_GONE = 4002;
/** So many sockets of one person are open at this server already; the reason says so. Once one of them closes, the next is taken. */
export const CLOSE_MANY = 4003;
export const REQUEST_TIMEOUT_MS = 10_000;
export const RECONNECT_MS = 2_000;
/** After 4003: nothing is gained by asking every two seconds. */
export const RECONNECT_MANY_MS = 60_000;
/** With the wait for its answer, and the portal's patience with short cuts, a dead line is said within 30 s. */
export const PING_AFTER_MS = 10_000;
