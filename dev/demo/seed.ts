import { type Client, createClient } from '@hatchway/contract/client.ts';
import { DEMO_MERCHANT } from '@hatchway/sandbox/vipps/merchant.ts';
import { connectTool } from '../asset-tool.ts';
import type { Plug } from '../plug-in.ts';
import { acceptInvitation, asOperator, type Person, signIn } from '../person.ts';
import { companyIds, demoCompany, demoPassword, demoPeople, demoShop, type DemoPerson, otherCompany, otherPeople } from './people.ts';
import { picture } from './picture.ts';
import { demoAssetGroups, demoAssets, demoLabels, demoPolicies } from './things.ts';
import { connectDirectory, type DemoDirectory } from './directory.ts';
import { seedLinks } from './links.ts';
import { seedUses } from './uses.ts';
import { columnsOf, type DemoCabinet, demoCabinets, demoSites } from './walls.ts';

export type Stage = {
  origin: string;
  operatorKey: string;
  /** Sets up a virtual cabinet that answers for a cabinet of the API, with the pairing code that staff would type at it. */
  plugIn: (cabinet: Plug) => Promise<string>;
  /** The sandbox's webshop, and the keys that it takes. */
  shop: { url: string; consumerKey: string; consumerSecret: string };
  directory: DemoDirectory;
  /** What hands do at one of them. */
  actOn: (virtual: string, action: Record<string, unknown>) => Promise<void>;
};

type Walls = { lockers: Map<string, string>; doors: Map<string, { virtual: string; door: number }> };

const company = async (operator: Client, made: typeof demoCompany | typeof otherCompany) => {
  const { invitationUrl } = await operator('POST /operator/companies', {
    body: { id: made.id, name: made.name, licenses: [...made.licenses], country: 'NO', admin: { ...made.admin } },
  });
  await acceptInvitation(invitationUrl, { name: made.admin.name, password: demoPassword });
};

/** The link of the newest invitation mail to an address, out of the sandbox's inbox: mail comes when it comes, so look until it is there. */
export async function invitationFor(origin: string, email: string, after: Date): Promise<string> {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${origin}/sandbox/inbox/messages?to=${encodeURIComponent(email)}&channel=mail`);
    const messages = (await answer.json()) as { at: string; links: string[] }[];
    const link = messages.filter((message) => new Date(message.at) >= after).flatMap((message) => message.links)[0];
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No invitation came for ${email}.`);
}

async function invite(origin: string, admin: Person, tenant: string, people: DemoPerson[]): Promise<void> {
  for (const { email, name, roles } of people) {
    const before = new Date();
    await admin.api('POST /companies/{tenant}/invitations', { params: { tenant }, body: { email, roles } });
    await acceptInvitation(await invitationFor(origin, email, before), { name, password: demoPassword });
  }
}

async function walls(api: Client, plugIn: Stage['plugIn'], cabinets: DemoCabinet[]): Promise<Walls> {
  const found: Walls = { lockers: new Map(), doors: new Map() };
  const sites = new Map<string, string>();
  for (const site of demoSites) sites.set(site?.name ?? '', (await api('POST /sites', { body: site })).id);
  for (const wanted of cabinets) {
    const columns = columnsOf(wanted);
    const cabinet = await api('POST /cabinets', {
      body: { siteId: sites.get(wanted.site) ?? '', name: wanted.name, number: wanted.number, columns },
    });
    const { code } = await api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
    const virtual = await plugIn({ name: wanted.name, code, columns, canLock: wanted.canLock, hasSensors: wanted.hasSensors });
    for (const locker of await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } })) {
      found.lockers.set(locker.doorTag, locker.id);
      found.doors.set(locker.doorTag, { virtual, door: locker.compartment });
    }
    await online(api, cabinet.id);
  }
  return found;
}

/** A cabinet that was plugged in a moment ago has yet to say so. */
async function online(api: Client, id: string): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 50)))
    if ((await api('GET /cabinets/{id}', { params: { id } })).connection === 'online') return;
  throw new Error('A virtual cabinet did not come online.');
}

async function assets(api: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const groups: { id: string; holds: readonly string[] }[] = [];
  for (const { holds, ...body } of demoAssetGroups) groups.push({ id: (await api('POST /asset-groups', { body })).id, holds });
  const labels = await api('GET /statuslabels');
  for (const { id, version, type, color, show_in_nav, default_label } of labels) {
    const body = { version, name: demoLabels[type], type, color, show_in_nav, default_label };
    await api('PUT /statuslabels/{id}', { params: { id }, body });
  }
  for (const { name, data, code, motif, label } of demoAssets) {
    const image = new Blob([new Uint8Array(picture(motif))], { type: 'image/png' });
    const statusLabelId = labels.find(({ type }) => type === label)?.id;
    const assetGroupIds = groups.filter(({ holds }) => holds.includes(name)).map(({ id }) => id);
    const asset = await api('POST /assets', {
      body: { name, data, identifiers: [{ kind: 'ean', value: code }], assetGroupIds, ...(statusLabelId ? { statusLabelId } : {}) },
      image,
    });
    ids.set(name, asset._id);
  }
  return ids;
}

/** Customers pay by the sandbox's provider, buy by themselves, and order in its webshop. */
async function openShop(api: Client, { url, consumerKey, consumerSecret }: Stage['shop']): Promise<void> {
  const { msn, clientId, clientSecret, subscriptionKey } = DEMO_MERCHANT;
  const body = { settings: { merchantSerialNumber: msn, clientId, testMode: true }, secrets: { clientSecret, subscriptionKey } };
  const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body });
  await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
  const webshop = await api('POST /integrations/{kind}', {
    params: { kind: 'woo' },
    body: { settings: { url }, secrets: { consumerKey, consumerSecret } },
  });
  await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'woo', _id: webshop._id }, body: {} });
  await api('PUT /storefront', { body: { name: demoShop, open: true } });
}

/** Somebody without a role may hand out parcels at one cabinet. */
async function scopes(api: Client, lockers: Map<string, string>): Promise<void> {
  const accounts = await api('GET /accounts', { query: { q: { email: 'scoped@demo.test' } } });
  const group = await api('POST /groups', { body: { name: 'West entrance crew', description: 'Hands out parcels at the west entrance' } });
  for (const account of accounts)
    await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account.id }, body: {} });
  const west = [...lockers].filter(([tag]) => tag.startsWith('B')).map(([, id]) => id);
  await api('POST /permissions', {
    body: { name: 'Parcels at the west entrance', scopes: ['delivery'], groups: [group.id], lockers: west },
  });
  // a second one, so that the matrix of permissions has something to tell apart
  const quay = [...lockers].filter(([tag]) => tag.startsWith('C')).map(([, id]) => id);
  const workshop = await api('POST /groups', { body: { name: 'Workshop', description: 'Lends out tools at the quay' } });
  await api('POST /permissions', {
    body: { name: 'Tools at the quay', scopes: ['lending', 'storage'], groups: [workshop.id], lockers: quay },
  });
}

/** What the administrator's screens show: how the company is registered, whom it alerts, and who has been asked to come. */
async function details(api: Client, tenant: string): Promise<void> {
  const params = { tenant };
  const { version } = await api('GET /companies/{tenant}', { params });
  await api('PUT /companies/{tenant}', {
    params,
    body: {
      version,
      orgNumber: '923 456 783',
      address: { street: 'Jernbanetorget 1', postalCode: '0154', city: 'Oslo' },
      contact: { name: 'Astrid Admin', email: 'admin@demo.test', tlf: '+4740000001' },
      settings: {
        senderName: 'Nordlys',
        quietHours: { from: '22:00', to: '07:00' },
        alerts: [
          { event: 'cabinet-offline', channel: 'sms', to: '+4740000001' },
          { event: 'door-left-open', channel: 'mail', to: 'counter@demo.test' },
          { event: 'refill', channel: 'mail', to: 'shop@demo.test' },
          { event: 'order-cancelled', channel: 'mail', to: 'counter@demo.test' },
        ],
      },
    },
  });
  for (const [email, roles] of [
    ['nora@demo.test', ['lending_manager']],
    ['tariq@demo.test', ['delivery_manager', 'drop-off_manager']],
  ] as const)
    await api('POST /companies/{tenant}/invitations', { params, body: { email, roles: [...roles] } });
}

const need = (map: Map<string, string>) => (key: string) => {
  const id = map.get(key);
  if (!id) throw new Error(`The demo has no ${key}.`);
  return id;
};

/** What an earlier seed left that was killed on its way. */
async function clearAway(origin: string, operator: Client): Promise<void> {
  for (const { id } of await operator('GET /operator/companies', { query: { q: { id: { $in: [...companyIds] } } } }))
    await operator('DELETE /operator/companies/{id}', { params: { id } });
  const cabinets = (await (await fetch(`${origin}/sandbox/cabinets/list`)).json()) as { id: string }[];
  for (const { id } of cabinets) await fetch(`${origin}/sandbox/cabinets/${id}`, { method: 'DELETE' });
}

/**
 * The demo company through the public API and the pages that people use; nothing is written past them. Answers the integrator's key,
 * which is shown this once. Whoever calls keeps it, and does not call again for the same data.
 */
export async function seed({ origin, operatorKey, shop, directory, plugIn, actOn }: Stage): Promise<{ demoKey: string }> {
  const operator = asOperator(origin, operatorKey);
  await clearAway(origin, operator);
  await company(operator, demoCompany);
  await company(operator, otherCompany);
  const admin = await signIn(origin, { email: demoCompany.admin.email, password: demoPassword });
  const { api } = admin;
  await invite(origin, admin, demoCompany.id, demoPeople);
  const other = await signIn(origin, { email: otherCompany.admin.email, password: demoPassword });
  await invite(origin, other, otherCompany.id, otherPeople);

  for (const policy of demoPolicies) await api('POST /policies', { body: policy });
  const { lockers, doors } = await walls(api, plugIn, demoCabinets);
  await scopes(api, lockers);
  await details(api, demoCompany.id);
  const things = await assets(api);
  const at = async (doorTag: string, ...acts: { do: string; what?: string }[]) => {
    const place = doors.get(doorTag);
    if (!place) throw new Error(`The demo has no door ${doorTag}.`);
    for (const act of [...acts, { do: 'close' }]) await actOn(place.virtual, { ...act, door: place.door });
  };
  await seedUses({
    api,
    locker: need(lockers),
    asset: need(things),
    put: (doorTag, what) => at(doorTag, { do: 'put', what }),
    take: (doorTag) => at(doorTag, { do: 'take' }),
    leave: (doorTag) => at(doorTag),
  });

  await seedLinks({ api, locker: need(lockers) });
  await openShop(api, shop);
  await connectDirectory(api, directory);
  await connectTool(api, origin);

  await api('PUT /templates', {
    body: {
      kind: 'ready',
      channel: 'sms',
      locale: 'en',
      text: '{company}: your parcel is in locker {door}, {site}. Open it with {link} or code {code}.',
      version: 0,
    },
  });
  // off: there is nobody at that address
  await api('POST /webhooks', {
    body: { url: 'https://example.com/hatchway', events: ['occupation_delivered', 'occupation_terminated'], active: false },
  });

  const key = await api('POST /key', { body: { name: 'Demo integrator', scopes: ['read', 'delivery'] } });
  // it answers, so it was not only made
  await createClient({ base: `${origin}/v1`, token: () => key.secret })('GET /lockers', { query: { limit: 1 } });
  return { demoKey: key.secret };
}
