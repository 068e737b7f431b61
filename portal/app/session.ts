import Keycloak, { type KeycloakTokenParsed } from 'keycloak-js';
import { loadConfig } from './config.ts';
import { MIN_VALIDITY, REFRESH_EVERY, keepFresh } from './refresh.ts';
import { companyLeft } from './tab-company.ts';

/** The access token's content that the portal reads (api.md, Identity). Everything is optional: a token of another make must not break the page. */
export type TokenData = KeycloakTokenParsed & {
  /** Our own id of the person, where the provider's `sub` is another. */
  account_id?: string;
  name?: string;
  email?: string;
  locale?: string;
  tenant?: { tenant_id?: string; tenant_name?: string; roles?: string[] };
  licenses?: string[];
  permissions?: Record<string, string[]>;
};

export type Session = {
  token: () => string | null;
  /** Throws `No Token` when nobody is signed in. */
  data: () => TokenData;
  /** What the identity provider knows of the person now: the token says what it knew when it was given out. */
  userinfo: () => Promise<object>;
  /** Refreshes now, whatever is left of the old token. */
  refresh: () => Promise<void>;
  login: () => Promise<void>;
  /** Ends the session at the provider and returns to the portal's address. */
  logout: () => Promise<void>;
  /** Where the person changes password and second step, at whoever signs them in. */
  account: () => string;
  onToken: (listener: (token: string | null) => void) => () => void;
  /** Settled once the provider answers: a page that loads itself anew asks there first. `onAway`: it does not, at the first look. */
  reachable: (onAway: () => void) => Promise<void>;
};

const LOOK_AGAIN = 2_000;
const answers = (url: string): Promise<boolean> =>
  fetch(url, { mode: 'no-cors', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
/** As often as it takes. `onAway`: once, where the first look finds nobody. */
export const untilThere = async (look: () => Promise<boolean>, onAway: () => void, every = LOOK_AGAIN): Promise<void> => {
  if (await look()) return;
  onAway();
  do await new Promise((resolve) => setTimeout(resolve, every));
  while (!(await look()));
};

const portalAddress = (): string => `${location.origin}/portal/`;

let leaving = false;
/** Whether the page goes for a reason that nobody at it can change: they are not asked whether they would rather stay. */
export const isLeaving = (): boolean => leaving;
/** Loads the portal for another company, so that nothing of the first one stays in memory. */
export const beginAnew = (at = portalAddress()): void => {
  leaving = true;
  location.assign(at);
};

const whose = ({ sub, tenant }: TokenData): string => JSON.stringify([sub, tenant?.tenant_id]);

/**
 * The provider's frame, asked every five seconds whether the login state changed, answers `error` where the line is down or the server
 * starts anew; keycloak-js takes that for a sign-out and leaves for a sign-in page that nobody can reach. That it could not be asked is
 * no change: the screen stays, and the next look tells.
 */
const noAnswerIsNoChange = (event: MessageEvent): void => {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[title="keycloak-session-iframe"]');
  if (event.data !== 'error' || !frame || event.source !== frame.contentWindow) return;
  event.stopImmediatePropagation();
  dispatchEvent(new MessageEvent('message', { data: 'unchanged', origin: event.origin, source: event.source }));
};

/**
 * Called once, before React and before the router reads the address. `comesBack`: the sign-in's answer is in its hash. Without one the page
 * leaves for the sign-in, and sets up no frame to watch a session that it does not have yet.
 */
export const startSession = async (comesBack: boolean): Promise<Session> => {
  const config = await loadConfig();
  // The sign-in knows one address alone, and would refuse to lead back to another one of the same server.
  const home = new URL(config.endUser).origin;
  if (home !== location.origin) throw new Error(`${location.origin} is not ${home}`);
  const keycloak = new Keycloak({ url: config['auth-server-url'], realm: config.realm, clientId: config.resource });
  const listeners = new Set<(token: string | null) => void>();
  let mine: { token: string; data: TokenData } | null = null;
  const newest = (): typeof mine => (keycloak.token && keycloak.tokenParsed ? { token: keycloak.token, data: keycloak.tokenParsed } : null);
  const tell = (): void => {
    const next = newest();
    // The company is chosen for all tabs, and another one chose: nothing of this page, which shows and keeps the first, goes out with a
    // token for the second.
    if (mine && next && whose(mine.data) !== whose(next.data)) {
      companyLeft(next.data);
      return beginAnew();
    }
    mine = next;
    for (const listener of listeners) listener(mine?.token ?? null);
  };
  keycloak.onAuthRefreshSuccess = tell;
  keycloak.onAuthLogout = tell;
  // Before the adapter listens, so that it hears what is left.
  addEventListener('message', noAnswerIsNoChange);
  // The page that leaves for the sign-in shows nothing: the browser's Back must not lead to it, which would leave again.
  keycloak.login = async (options) => {
    location.replace(await keycloak.createLoginUrl(options));
    // Whoever waits for it must not go on as if it were done.
    return new Promise(() => undefined);
  };
  await keycloak.init({
    onLoad: 'login-required',
    pkceMethod: 'S256',
    redirectUri: location.href.split('#')[0] ?? location.href,
    checkLoginIframe: comesBack,
  });
  mine = newest();
  keepFresh({ update: (validity) => keycloak.updateToken(validity), every: REFRESH_EVERY, validity: MIN_VALIDITY });
  return {
    token: () => mine?.token ?? null,
    data: () => tokenData(mine?.data),
    userinfo: () => keycloak.loadUserInfo(),
    refresh: async () => {
      await keycloak.updateToken(-1);
    },
    login: () => keycloak.login(),
    logout: () => keycloak.logout({ redirectUri: portalAddress() }),
    account: () => keycloak.createAccountUrl(),
    onToken: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reachable: (onAway) =>
      untilThere(() => answers(`${keycloak.authServerUrl}/realms/${keycloak.realm}/.well-known/openid-configuration`), onAway),
  };
};

export const tokenData = (parsed: TokenData | undefined): TokenData => {
  if (!parsed) throw new Error('No Token');
  return parsed;
};
