import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mountTool } from '@hatchway/sandbox/assets/mount.ts';
import { createTool } from '@hatchway/sandbox/assets/tool.ts';
import { createInbox } from '@hatchway/sandbox/inbox/inbox.ts';
import { mountInbox } from '@hatchway/sandbox/inbox/routes.ts';
import { mountCabinets } from '@hatchway/sandbox/cabinets/mount.ts';
import { createDirectory } from '@hatchway/sandbox/directory/directory.ts';
import { mountDirectory } from '@hatchway/sandbox/directory/mount.ts';
import { mountVipps } from '@hatchway/sandbox/vipps/mount.ts';
import { createVipps } from '@hatchway/sandbox/vipps/provider.ts';
import { mountWoo } from '@hatchway/sandbox/woo/mount.ts';
import { createWoo } from '@hatchway/sandbox/woo/shop.ts';
import { Visitor } from '@hatchway/server/identity/test-visitor.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';
import { buildFrontends } from '../frontends.ts';
import { qrImage } from '../qr.ts';

// Every page that anybody can be shown, of all that serve pages: what it may load, whom it tells where it was, and what it must not hold.

const PASSWORD = 'correct horse battery';
const SECRET = 'PATHTOKENxyz0123456789';
let server: TestServer;
let admin: TestPerson;
let invitation: string;
let folder: string;
beforeAll(async () => {
  await buildFrontends();
  folder = mkdtempSync(path.join(tmpdir(), 'hatchway-pages-'));
  server = await testServer({
    beside: async (app) => {
      mountInbox(app, createInbox());
      mountVipps(app, createVipps(), { origin: 'http://127.0.0.1:1', drawQr: qrImage });
      mountWoo(app, createWoo(), { origin: 'http://127.0.0.1:1' });
      mountDirectory(app, createDirectory(), { origin: 'http://127.0.0.1:1' });
      mountTool(app, createTool(), { origin: 'http://127.0.0.1:1' });
      await mountCabinets(app, { folder, origin: 'http://127.0.0.1:1', mqttUrl: 'mqtt://127.0.0.1:1' });
    },
  });
  admin = await (await testCompany(server)).person(['admin']);
  const made = await server.operator('POST /operator/companies', {
    body: { name: 'Pages', licenses: [], admin: { name: 'A', email: 'pages@example.test' } },
  });
  invitation = made.invitationUrl;
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Seen = { where: string; status: number; headers: Headers; text: string };
const go = async (where: string): Promise<Seen> => {
  const answer = await fetch(new URL(where, server.url), { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { where, status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** `script-src 'self'; …` by the name of each. */
const policyOf = ({ headers }: Seen): Record<string, string> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split(';').map((part) => {
      const [name = '', ...rest] = part.trim().split(' ');
      return [name, rest.join(' ')];
    }),
  );

/** What is wrong with a page; nothing, where it is as it should be. */
const faultsOf = (page: Seen, secrets: readonly string[]): string[] => {
  const policy = policyOf(page);
  const scripts = policy['script-src'] ?? policy['default-src'] ?? '*';
  const inline = [...page.text.matchAll(/<script\b([^>]*)>/g)].filter(([, head = '']) => !/\bsrc=/.test(head));
  return [
    ...(policy['default-src'] === "'none'" ? [] : ['loads what is not named']),
    ...(/(?<!wasm-)unsafe|\*|http:|data:/.test(scripts) ? [`runs scripts of ${scripts}`] : []),
    ...(inline.length > 0 && !/'(sha256|nonce)-/.test(scripts) ? ['writes a script into the page that its policy refuses'] : []),
    ...(/\son[a-z]+="/.test(page.text) ? ['writes a handler into the page'] : []),
    ...(page.text.includes('<html') && policy['base-uri'] !== "'none'" ? ['lets its base be moved'] : []),
    ...('frame-ancestors' in policy ? [] : ['may be framed by anybody']),
    // strict-origin: forms of the identity pages tell that they are ours, and not which page they stand on
    ...(['no-referrer', 'strict-origin'].includes(page.headers.get('referrer-policy') ?? '') ? [] : ['tells others where one was']),
    ...(page.headers.get('x-content-type-options') === 'nosniff' ? [] : ['lets its kind be guessed']),
    ...secrets.filter((secret) => page.text.includes(secret)).map((secret) => `holds ${secret}`),
  ].map((fault) => `${page.where} (${page.status}) ${fault}`);
};

const FIXED = [
  '/portal/',
  '/portal/services/lock-control',
  '/portal/no/such/address',
  '/',
  '/c/1001',
  '/shop/none',
  '/no/such/address',
  '/v1/docs',
  '/v1/no/such/call',
  '/realms/pml/forgotten',
  '/realms/pml/no/such/address',
  '/realms/pml/protocol/openid-connect/auth?client_id=none',
  '/realms/pml/protocol/openid-connect/3p-cookies/step1.html',
  '/realms/pml/protocol/openid-connect/login-status-iframe.html',
  '/sandbox/',
  '/sandbox/inbox',
  '/sandbox/cabinets',
  '/sandbox/vipps',
  '/sandbox/vipps/pay',
  '/sandbox/directory',
  '/sandbox/directory/login/organizations/v2.0/adminconsent?client_id=7f2c1a90-6b1e-4c57-9d1f-2f0c8a3b5e11&scope=a&redirect_uri=http://127.0.0.1/',
  '/sandbox/directory/login/organizations/oauth2/v2.0/authorize?client_id=7f2c1a90-6b1e-4c57-9d1f-2f0c8a3b5e11&response_type=code&scope=openid&code_challenge=a&redirect_uri=http://127.0.0.1/',
  '/sandbox/woo',
  '/sandbox/woo/shop/wc-auth/v1/authorize?app_name=A&scope=read_write&user_id=1&return_url=http://127.0.0.1/&callback_url=http://127.0.0.1/',
  '/sandbox/assets',
  '/sandbox/no/such/page',
  `/p/${SECRET}`,
  `/l/${SECRET}`,
  `/realms/pml/password/${SECRET}`,
  `/realms/pml/invitations/${SECRET}`,
  `/v1/occupations/token/${SECRET}`,
];

it('every page loads only what it names, tells nobody where one was, and holds no secret', async () => {
  const pages: Seen[] = [];
  for (const where of [...FIXED, invitation]) pages.push(await go(where));
  const visitor = new Visitor(server.url);
  const see = (where: string) => pages.push({ where, ...visitor.page });
  await visitor.startSignIn();
  see('the sign-in');
  await visitor.submit({ login: admin.email, password: 'not the password' });
  see('the sign-in with a wrong password');
  await visitor.submit({ login: admin.email, password: PASSWORD });
  for (const where of ['account/security', 'account/second-factor']) {
    await visitor.go(`/realms/pml/${where}`);
    see(where);
  }
  const { operatorKey, secretKey, databaseUrl } = server.deps.config;
  const secrets = [operatorKey, secretKey, databaseUrl ?? operatorKey, PASSWORD, admin.token, 'not the password'];
  // An identity page's own address stands in it, since its form and its other language go there; the others have no use for theirs.
  const known = (page: Seen) => (page.where.startsWith('/realms/') ? secrets : [...secrets, SECRET]);
  expect(pages.flatMap((page) => faultsOf(page, known(page)))).toEqual([]);
  // They were the pages that they are meant to be.
  const shown = pages.filter(({ headers }) => headers.get('content-type')?.startsWith('text/html'));
  expect(shown.length).toBeGreaterThan(20);
  expect(pages.filter(({ status }) => status >= 500).map(({ where }) => where)).toEqual([]);
});
