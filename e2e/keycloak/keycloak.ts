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

/** What its administrators do in its console, by the same calls. */
export async function asKeycloaksAdmin(): Promise<{ users: (email: string) => Promise<User[]>; logOut: (id: string) => Promise<void> }> {
  const { url, admin, password } = keycloak();
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: admin, password });
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token: string };
  const call = (path: string, method = 'GET') =>
    fetch(`${url}/admin/realms/pml/users${path}`, { method, headers: { authorization: `Bearer ${access_token}` } });
  return {
    users: async (email) => (await (await call(`?email=${encodeURIComponent(email)}&exact=true`)).json()) as User[],
    logOut: async (id) => {
      const { status } = await call(`/${id}/logout`, 'POST');
      if (status !== 204) throw new Error(`Keycloak answers ${status}`);
    },
  };
}
type User = { id: string; username: string; attributes: Record<string, string[]> };
