import type { Client } from '@hatchway/contract/client.ts';

/** One that the sandbox begins with, and who administers it. */
export type DemoDirectory = { tid: string; oid: string };

/** What its people get by their groups there. */
const GIVEN = { 'Locker administrators': { roles: ['admin'], group: null }, Reception: { roles: ['delivery_manager'], group: null }, Workshop: { roles: [], group: 'Workshop' } } as const; // prettier-ignore
type Named = keyof typeof GIVEN;
const isNamed = (name: string): name is Named => name in GIVEN;

/** Presses the button of a page there; answers where it leads. */
const pressed = async (page: string, from: string, to: string, answer: Record<string, string>): Promise<URL> => {
  const query = new URLSearchParams(answer).toString();
  const { headers } = await fetch(`${page.replace(from, to)}&${query}`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '', page);
};
const goOn = async (api: Client, back: URL): Promise<string | null> => {
  const { state = '', code } = Object.fromEntries(back.searchParams);
  const { url, fault } = await api('POST /integrations/entra/consent', { body: { state, ...(code === undefined ? {} : { code }) } });
  if (fault !== null) throw new Error(`The demo's directory was not connected: ${fault}.`);
  return url;
};

/** Connects the sandbox's directory as its administrator would, takes its people over, and says what its groups give. */
export async function connectDirectory(api: Client, { tid, oid }: DemoDirectory): Promise<void> {
  const { consentUrl } = await api('POST /integrations/entra', { body: { tid } });
  const consented = await pressed(consentUrl ?? '', '/v2.0/adminconsent?', '/consented?', { answer: 'accept' });
  const signIn = await goOn(api, consented);
  await goOn(api, await pressed(signIn ?? '', '/oauth2/v2.0/authorize?', '/signed-in?', { oid }));
  const { lastError } = await api('POST /integrations/entra/sync', { body: {} });
  if (lastError !== null) throw new Error(`The demo's directory was not read: ${lastError}.`);
  const own = await api('GET /groups');
  for (const { id, name, version } of await api('GET /directory/groups', { query: { q: { source: 'entra' } } })) {
    if (!isNamed(name)) continue;
    const { roles, group } = GIVEN[name];
    const groups = own.filter((one) => one.name === group).map((one) => one.id);
    await api('PUT /directory/groups/{id}', { params: { id }, body: { roles: [...roles], groups, permissions: [], version } });
  }
}
