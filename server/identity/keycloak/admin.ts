import { z } from 'zod';
import { BASE, PROTOCOL } from '../options.ts';

/** Keycloak did not answer, or not now: the same is asked again later. */
export class KeycloakAway extends Error {
  override name = 'KeycloakAway';
}
/** Keycloak understood, and said no: asking again helps once somebody changed something. */
export class KeycloakRefused extends Error {
  override name = 'KeycloakRefused';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`Keycloak answers ${status}${code === '' ? '' : `: ${code}`}`);
    this.status = status;
    this.code = code;
  }
}

const CLIENT = 'hatchway-server';
const ANSWER_MS = 10_000;
/** An answer that has begun to be asked for this long before its end is used no more. */
const SPARE_MS = 30_000;
const MOST_CHARACTERS = 1_000_000;

const attributes = z.record(z.string(), z.array(z.string())).default({});
const userSchema = z.looseObject({
  id: z.string().min(1),
  username: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  attributes,
});
export type KeycloakUser = z.infer<typeof userSchema>;
export type UserChange = {
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  enabled: boolean;
  attributes: Record<string, string[]>;
};
const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number() });
const credentialSchema = z.array(z.object({ id: z.string(), type: z.string() }));
const refusalSchema = z.object({
  error: z.string().optional(),
  error_description: z.string().optional(),
  errorMessage: z.string().optional(),
  field: z.string().optional(),
});

const profileSchema = z.object({
  attributes: z.array(z.object({ name: z.string(), permissions: z.object({ edit: z.array(z.string()).default([]) }).optional() })),
  unmanagedAttributePolicy: z.string().optional(),
});
/** What tokens are made of: whoever could write one of these would be anybody, in any company. */
const GUARDED = ['account_id', 'tlf', 'tenant_id', 'tenant_name', 'tenant_roles', 'licenses', 'permissions'];

/** Why it was refused, in Keycloak's own words, as far as they go on one line. */
const reasonOf = (text: string): string => {
  try {
    const said = refusalSchema.parse(JSON.parse(text));
    return [said.field, said.errorMessage ?? said.error_description ?? said.error].filter(Boolean).join(' ').slice(0, 300);
  } catch {
    return '';
  }
};

type Asked = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: object };

/** Keycloak's admin API, as the service account of the realm's client `hatchway-server`. Throws KeycloakAway and KeycloakRefused. */
export const createAdmin = ({ url, secret, now }: { url: string; secret: string; now: () => Date }) => {
  const users = `${url}/admin${BASE}/users`;
  let token: { value: string; until: number } | null = null;

  const send = async (address: string, init: RequestInit): Promise<{ status: number; text: string; location: string | null }> => {
    try {
      const answer = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
      const text = await answer.text();
      if (text.length > MOST_CHARACTERS) throw new Error('too long');
      return { status: answer.status, text, location: answer.headers.get('location') };
    } catch {
      throw new KeycloakAway('Keycloak cannot be reached');
    }
  };
  const read = <T>(schema: z.ZodType<T>, text: string): T => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new KeycloakAway('Keycloak answers in other words than it should');
    }
  };
  const judge = (status: number, text: string): void => {
    if (status >= 500 || status === 429) throw new KeycloakAway(`Keycloak answers ${status}`);
    if (status < 200 || status >= 300) throw new KeycloakRefused(status, reasonOf(text));
  };

  const authorized = async (): Promise<string> => {
    if (token !== null && token.until > now().getTime()) return token.value;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: CLIENT, client_secret: secret });
    const { status, text } = await send(`${url}${BASE}${PROTOCOL}/token`, { method: 'POST', body });
    judge(status, text);
    const { access_token, expires_in } = read(tokenSchema, text);
    token = { value: access_token, until: now().getTime() + expires_in * 1000 - SPARE_MS };
    return access_token;
  };

  const ask = async (path: string, { method = 'GET', body }: Asked = {}) => {
    for (let tries = 1; ; tries++) {
      const headers = { authorization: `Bearer ${await authorized()}`, accept: 'application/json', 'content-type': 'application/json' };
      const answer = await send(users + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      // Its keys were renewed, or it was started anew: another token, once.
      if (answer.status === 401 && tries === 1) token = null;
      else {
        judge(answer.status, answer.text);
        return answer;
      }
    }
  };
  const list = async (query: Record<string, string>): Promise<KeycloakUser[]> =>
    read(
      z.array(userSchema),
      (await ask(`?${new URLSearchParams({ ...query, exact: 'true', briefRepresentation: 'false' }).toString()}`)).text,
    );
  const one = (id: string): string => `/${encodeURIComponent(id)}`;

  return {
    byId: async (id: string): Promise<KeycloakUser | null> => {
      try {
        return read(userSchema, (await ask(one(id))).text);
      } catch (error) {
        if (error instanceof KeycloakRefused && error.status === 404) return null;
        throw error;
      }
    },
    byAccount: async (accountId: string): Promise<KeycloakUser | null> =>
      (await list({ q: `account_id:${accountId}` })).find((user) => user.attributes['account_id']?.[0] === accountId) ?? null,
    byEmail: async (email: string): Promise<KeycloakUser | null> => (await list({ email }))[0] ?? null,
    byUsername: async (username: string): Promise<KeycloakUser | null> => (await list({ username }))[0] ?? null,
    /** Why this realm's tokens cannot be trusted, in words; null where nothing is wrong with what people may write about themselves. */
    fault: async (): Promise<string | null> => {
      const { attributes: declared, unmanagedAttributePolicy: policy } = read(profileSchema, (await ask('/profile')).text);
      if (policy === 'ENABLED') return "the realm's policy for undeclared attributes is ENABLED: people could write their own company";
      for (const name of GUARDED) {
        const attribute = declared.find((one) => one.name === name);
        if (!attribute) return `the realm's user profile does not declare ${name}: import deploy/keycloak/pml-realm.json`;
        if (!attribute.permissions || attribute.permissions.edit.some((who) => who !== 'admin'))
          return `the realm's user profile lets people write ${name} themselves`;
      }
      return null;
    },
    create: async (user: UserChange): Promise<string> => {
      const { location } = await ask('', { method: 'POST', body: user });
      const id = location?.split('/').at(-1);
      if (!id) throw new KeycloakAway('Keycloak does not say whom it made');
      return id;
    },
    /** The whole user: Keycloak takes away what is not said. */
    update: async (id: string, user: object): Promise<void> => void (await ask(one(id), { method: 'PUT', body: user })),
    setPassword: async (id: string, value: string): Promise<void> =>
      void (await ask(`${one(id)}/reset-password`, { method: 'PUT', body: { type: 'password', value, temporary: false } })),
    /** Ends all that they are signed in to; Keycloak tells us of each by its back channel. */
    logOut: async (id: string): Promise<void> => {
      try {
        await ask(`${one(id)}/logout`, { method: 'POST' });
      } catch (error) {
        // Who is no more is signed in to nothing.
        if (!(error instanceof KeycloakRefused && error.status === 404)) throw error;
      }
    },
    hasPassword: async (id: string): Promise<boolean> =>
      read(credentialSchema, (await ask(`${one(id)}/credentials`)).text).some(({ type }) => type === 'password'),
    removeSecondFactor: async (id: string): Promise<void> => {
      for (const { id: credential, type } of read(credentialSchema, (await ask(`${one(id)}/credentials`)).text))
        if (type !== 'password') await ask(`${one(id)}/credentials${one(credential)}`, { method: 'DELETE' });
    },
  };
};

export type Admin = ReturnType<typeof createAdmin>;
