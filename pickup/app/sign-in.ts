import Keycloak from 'keycloak-js';
import { ANSWER_WITHIN, api } from './api.ts';
import { patiently } from '@hatchway/contract/client.ts';

export type SignedIn = {
  /** A token that holds for a while yet. Throws where the session is over. */
  token: () => Promise<string>;
  signOut: () => Promise<void>;
};

const HOLDS_FOR_S = 20;

let started: Promise<{ keycloak: Keycloak; failed: boolean }> | null = null;

/** Reads the answer of a sign-in that came back to this address, once. Throws where the line is down. */
const start = (): NonNullable<typeof started> => {
  started ??= (async () => {
    const keycloak = new Keycloak('/config');
    try {
      await keycloak.init({ pkceMethod: 'S256', checkLoginIframe: false });
      return { keycloak, failed: false };
    } catch (error) {
      if (!keycloak.authServerUrl) {
        // It did not learn where the provider is, and it asks once only: the next try is another one's.
        started = null;
        throw error;
      }
      // Broken off there, or an answer that is too old.
      return { keycloak, failed: true };
    }
  })();
  return started;
};

/** Who came back from signing in; null where that was not finished. `onOver`: the provider knows nothing of the session any more. */
export const signedIn = async (onOver: () => void): Promise<SignedIn | null> => {
  const { keycloak, failed } = await patiently(ANSWER_WITHIN, undefined, start);
  if (failed || !keycloak.authenticated) return null;
  keycloak.onAuthLogout = onOver;
  return {
    token: async () => {
      await keycloak.updateToken(HOLDS_FOR_S);
      if (!keycloak.token) throw new Error('No Token');
      return keycloak.token;
    },
    signOut: () => keycloak.logout({ redirectUri: hereAgain() }),
  };
};

/** How the policy wants a sign-in to begin. It is a convenience: without an answer it begins as any other. */
const hintsOf = async (policy: string | null): Promise<{ loginHint?: string; idpHint?: string }> => {
  if (policy === null) return {};
  try {
    const { loginHint, idpHint } = await api('GET /policies/{ref}/login_hint', { params: { ref: policy } });
    return { ...(loginHint === null ? {} : { loginHint }), ...(idpHint === null ? {} : { idpHint }) };
  } catch {
    return {};
  }
};

/** Leaves for the sign-in, and comes back to this cabinet. `policy`: the ref of the one whose people are asked to sign in, if it is one. */
export const signIn = async (locale: string, policy: string | null): Promise<void> => {
  const [{ keycloak }, hints] = await Promise.all([start(), hintsOf(policy)]);
  // Keycloak's own name for Bokmål is the older one.
  await keycloak.login({ redirectUri: hereAgain(), locale: locale === 'nb' ? 'nb no' : locale, ...hints });
};

const hereAgain = (): string => location.origin + location.pathname;
