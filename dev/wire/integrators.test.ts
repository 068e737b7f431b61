import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, unique, type TestServer } from '@hatchway/server/test-server.ts';
import { testKeycloak, type TestKeycloak } from '@hatchway/server/identity/keycloak/test-keycloak.ts';
import { newId } from '@hatchway/server/ids.ts';
import { root } from '../command.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// Each page of docs/integrators is a program: its `js` blocks, in their order, run by Node against a whole server.

const folder = path.join(root, 'docs/integrators');
/** Its example is a tool of one's own, which dev/wire/tool-contract.test.ts runs and holds to the contract. */
const ANSWERS = ['asset-tool.md'];
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
const programOf = (page: string): string =>
  [...readFileSync(path.join(folder, page), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');

let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
let hookPort = 0;
/** Within the repository, where the packages that a page names are found. */
const scratch = path.join(root, '.tmp', `integrators-${process.pid}`);
beforeAll(async () => {
  hookPort = await freePort();
  server = await testServer({ config: { sandboxPorts: [hookPort] } });
  admin = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 12);
  mkdirSync(scratch, { recursive: true });
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  wall?.end();
  await server.stop();
});

const keyFor = async (scopes: string[]) => (await admin.api('POST /key', { body: { name: `Key ${unique()}`, scopes } })).secret;

/** What a page's program is given besides the address: its key's scopes, other variables, and what is done while it runs. */
type Given = { scopes?: string[]; env?: () => Promise<Record<string, string>>; meanwhile?: (said: () => string) => Promise<unknown> };

let keycloak: TestKeycloak;
let elsewhere: TestServer;
let somebody = '';
beforeAll(async () => {
  keycloak = await testKeycloak();
  elsewhere = await testServer({ config: { keycloak: keycloak.config } });
  keycloak.state.backChannel = elsewhere.url;
  const [tenantId, accountId] = [crypto.randomUUID(), newId()];
  const made = { name: 'Company', licenses: ['delivery' as const], admin: { name: 'Ada', email: `${unique()}@example.test` } };
  await elsewhere.operator('POST /operator/companies', { body: { id: tenantId, ...made } });
  somebody = `${unique()}@example.test`;
  const stamps = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
  await elsewhere.deps.db.account(accountId, (tx) =>
    tx
      .insertInto('accounts')
      .values({ id: accountId, email: somebody, name: 'Kari Berg', ...stamps })
      .execute(),
  );
  await elsewhere.deps.db.tenant(tenantId, (tx) =>
    tx
      .insertInto('memberships')
      .values({ tenant_id: tenantId, id: newId(), account_id: accountId, roles: ['manager'], ...stamps })
      .execute(),
  );
  await elsewhere.setPassword(accountId, 'a long enough password');
});
afterAll(async () => {
  await elsewhere.stop();
  await keycloak.close();
});

let unpaired = { cabinetId: '', id: '', doorTag: '' };
const GIVEN: Readonly<Record<string, Given>> = {
  'keycloak.md': {
    env: async () => ({
      HATCHWAY_URL: elsewhere.url,
      KEYCLOAK_SECRET: keycloak.config.secret,
      OPERATOR_KEY: elsewhere.deps.config.operatorKey,
      PERSON_EMAIL: somebody,
    }),
  },
  'api-keys.md': { scopes: ['delivery'] },
  'shop.md': { scopes: ['delivery'] },
  'scim.md': { env: async () => ({ SCIM_BEARER: (await admin.api('POST /directory/scim/bearer', { body: {} })).secret }) },
  'webhooks.md': {
    scopes: ['admin:webhooks', 'read'],
    env: async () => ({ HOOK_URL: `http://127.0.0.1:${hookPort}/`, HOOK_PORT: String(hookPort) }),
  },
  'cabinet-controllers.md': {
    env: async () => {
      const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
      const doorTag = unique();
      const columns = [{ width: 400, doors: [{ doorTag, compartment: 1, size: 'M' as const, height: 300 }] }];
      const made = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Example', columns } });
      unpaired = { cabinetId: made.id, id: made.columns[0]?.doors[0]?.lockerId ?? '', doorTag };
      return { PAIRING_CODE: (await admin.api('POST /cabinets/{id}/pair', { params: { id: made.id } })).code };
    },
    meanwhile: async (said) => {
      await expect.poll(said).toContain('listening');
      await expect
        .poll(async () => (await admin.api('GET /cabinets/{id}', { params: { id: unpaired.cabinetId } })).connection)
        .toBe('online');
      await admin.api('POST /lockers/{id}/open', { params: { id: unpaired.id }, body: { doorTag: unpaired.doorTag } });
    },
  },
};

type Ended = { code: number | null; said: string };
const run = async (page: string, { scopes = ['read'], env, meanwhile }: Given = {}): Promise<Ended> => {
  const file = path.join(scratch, `${path.basename(page, '.md')}.mjs`);
  writeFileSync(file, programOf(page));
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env['PATH'], HATCHWAY_URL: server.url, HATCHWAY_KEY: await keyFor(scopes), ...(await env?.()) },
    timeout: 120_000,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const heard = () => said;
  await Promise.race([meanwhile?.(heard), ended]);
  return { code: await ended, said };
};

describe('docs/integrators', () => {
  it('has each page in its index, and an example in each', () => {
    const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([]);
    expect(pages.filter((page) => programOf(page) === '')).toEqual([]);
  });

  it.each(pages.filter((page) => !ANSWERS.includes(page)))('%s: its example runs', async (page) => {
    const { code, said } = await run(page, GIVEN[page]);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  });
});
