import { type Page, test } from '@playwright/test';

/** As the configuration of the run has it. */
const keycloak = () => test.info().config.metadata['keycloak'] as { url: string; admin: string; password: string };

/** Types what its own sign-in page asks for, once it is there. */
export async function signInThere(page: Page, login: string, password: string): Promise<void> {
  await page.waitForURL(`${keycloak().url}/realms/pml/**`);
  await page.locator('#username').fill(login);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
}

export const url = () => keycloak().url;

/** What its administrators do in its console, by the same calls. */
export async function asKeycloaksAdmin() {
  const { url, admin, password } = keycloak();
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: admin, password });
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token: string };
  const call = async (path: string, method = 'GET', sent?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const { status, ...got } = await fetch(`${url}/admin/realms/pml/${path}`, {
      method,
      headers,
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    }).then(async (said) => ({ status: said.status, text: await said.text() }));
    if (status >= 300) throw new Error(`Keycloak answers ${status} to ${method} ${path}`);
    return got.text === '' ? null : JSON.parse(got.text);
  };
  const users = (email: string) => call(`users?email=${encodeURIComponent(email)}&exact=true`) as Promise<User[]>;
  const idOf = async (email: string): Promise<string> => {
    const [user] = await users(email);
    if (!user) throw new Error(`Keycloak knows nobody at ${email}`);
    return user.id;
  };
  return {
    users,
    logOut: async (email: string) => call(`users/${await idOf(email)}/logout`, 'POST'),
    /** As "Forgot password" ends, or an administrator's reset. */
    choosePassword: async (email: string, value: string) =>
      call(`users/${await idOf(email)}/reset-password`, 'PUT', { type: 'password', value, temporary: false }),
    /** Another Hatchway's portal, beside the one that the realm was imported for. */
    alsoServe: async (origin: string) => {
      const [client] = (await call('clients?clientId=pml-internal-portal')) as { id: string; redirectUris: string[] }[];
      if (!client) throw new Error('the realm has no portal');
      const redirectUris = [...client.redirectUris, `${origin}/portal/*`, `${origin}/realms/pml/invitations`];
      await call(`clients/${client.id}`, 'PUT', { ...client, redirectUris });
    },
  };
}
type User = { id: string; username: string; attributes: Record<string, string[]> };
