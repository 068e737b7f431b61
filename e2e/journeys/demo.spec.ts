import { expect, test } from '@playwright/test';
import { demoCompany, demoPassword, demoSignIns, logins, otherCompany } from '@hatchway/dev/demo/people.ts';
import { signIn } from '@hatchway/dev/person.ts';
import { offered } from '../offered.ts';
import { startProcess } from '../process.ts';

// The people whom `npm start` prints, on a Hatchway of their own that is seeded as it seeds: each holds and sees what is theirs.

const staff = ['Dashboard', 'Manage', 'History'];
/** `at`: the company that they choose where they are in two. Null: the end-user site. */
const table: { email: string; at?: string; sees: { bar: string[]; services: string[] } | null }[] = [
  {
    email: 'admin@demo.test',
    sees: {
      bar: [...staff, 'Admin'],
      services: [
        'Delivery',
        'Self-service',
        'Lock control',
        'Storage',
        'Lending Locker',
        'Consumables Locker',
        'Sale',
        'Storefront',
        'Recall',
        'Drop-Off',
      ],
    },
  },
  { email: 'guest@demo.test', sees: null },
  {
    email: 'both@demo.test',
    at: otherCompany.name,
    sees: { bar: [...staff, 'Admin'], services: ['Delivery', 'Self-service', 'Lock control', 'Lending Locker', 'Drop-Off'] },
  },
];
/** What the others hold; menu and shortcuts follow from it by domain/menu.ts. */
const holds = [
  { email: 'counter@demo.test', roles: ['delivery_manager'], licenses: demoCompany.licenses },
  { email: 'shop@demo.test', roles: ['sale_manager'], licenses: demoCompany.licenses },
  { email: 'scoped@demo.test', roles: [], scopes: ['delivery'], licenses: demoCompany.licenses },
  { email: 'both@demo.test', company: demoCompany.name, roles: ['delivery_manager'], licenses: demoCompany.licenses },
  { email: 'admin@other.test', roles: ['admin'], licenses: otherCompany.licenses },
];

// shows R1.6, R2.4
test('menu and shortcuts follow roles and licences; each of the demo people has their own, and what they see is in use', async ({
  browser,
}) => {
  expect(new Set([...table, ...holds].map(({ email }) => email)), 'nobody is left out').toEqual(new Set(logins.map(({ email }) => email)));
  const hatchway = await startProcess({ demo: true });
  const { origin } = hatchway.where;
  // one window after the other: what is loaded is the same for all of them
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  try {
    for (const { email, at, sees } of table) {
      await test.step(`${email} ${at ?? ''}`, async () => {
        await page.goto('/portal/');
        // One press on the sign-in page, as a newcomer comes in.
        const { name = '', what } = demoSignIns.find(({ login }) => login === email) ?? {};
        await page.getByRole('button', { name: `${name} ${what?.en}`, exact: true }).click();
        if (at !== undefined) await page.getByRole('button', { name: at }).click();
        if (sees === null) await expect(page).toHaveURL(`${origin}/`);
        else await expect.poll(() => offered(page)).toEqual(sees);
        // whoever comes next sits down where nobody is signed in and nothing is noted
        await page.evaluate('localStorage.clear(); sessionStorage.clear()');
        await context.clearCookies();
      });
    }
    await context.close();
    for (const { email, company = '', roles, scopes = [], licenses } of holds) {
      const { api } = await signIn(origin, { email, password: demoPassword, company });
      const me = await api('GET /accounts/me');
      expect([email, me.roles, me.scopes, me.licenses.toSorted()]).toEqual([email, roles, scopes, licenses.toSorted()]);
      if (scopes.length === 0) continue;
      const tags = (await api('GET /lockers', { query: { limit: 200 } })).map(({ doorTag }) => doorTag);
      expect(tags.length, 'the lockers of the west entrance').toBeGreaterThan(0);
      expect(tags.filter((tag) => !tag.startsWith('B'))).toEqual([]);
    }
    const { api } = await signIn(origin, { email: 'admin@demo.test', password: demoPassword });
    await test.step('what is shown is in use in every way, on two sites, with pictures', async () => {
      const uses = await api('GET /occupations', { query: { limit: 200 } });
      expect(new Set(uses.map(({ type }) => type))).toEqual(
        new Set(['drop-off', 'storage', 'delivery', 'lending', 'consumable', 'sale', 'recall']),
      );
      const stages: string[] = ['RESERVED', 'FILLED', 'ACQUIRABLE', 'CONTACTED', 'VACANT', 'TERMINATED'];
      expect(uses.map(({ stageName }) => stageName)).toEqual(expect.arrayContaining(stages));
      expect((await api('GET /cabinets')).length).toBe(3);
      expect((await api('GET /sites')).length).toBe(2);
      expect((await api('GET /statuslabels')).map(({ name }) => name).toSorted()).toEqual([
        'Being prepared',
        'In repair',
        'Ready',
        'Retired',
      ]);
      const lockers = () => api('GET /lockers', { query: { limit: 200 } });
      expect((await lockers()).length).toBeGreaterThanOrEqual(55);
      // What the records say lies inside does lie there. Polled: a door that was shut a moment ago may still be on its way into them.
      const belied = async () =>
        (await lockers()).filter(({ content, occupancy }) => content !== 'unknown' && occupancy !== 'unknown' && content !== occupancy);
      await expect.poll(async () => (await belied()).map(({ doorTag }) => doorTag)).toEqual([]);
      expect((await api('GET /assets', { query: { limit: 200 } })).filter(({ hasImage }) => hasImage).length).toBeGreaterThan(3);
      // Its neighbours answer, and have something to hand out.
      const connected = await api('GET /integrations');
      expect(connected.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
        'entra active',
        'tcm active',
        'vipps active',
        'woo active',
      ]);
      expect((await api('GET /assets', { query: { q: { source: 'tcm' } } })).length).toBeGreaterThan(3);
      expect((await api('GET /asset-requests')).length).toBeGreaterThan(1);
    });
    await test.step('a month lies behind it: charts and history look lived in, and each sum agrees', async () => {
      const days = await api('GET /stats/usage', { query: { days: 30 } });
      expect(days.filter(({ filled, taken }) => filled > 0 && taken > 0).length).toBeGreaterThan(20);
      const story = await api('GET /history', { query: { q: { type: 'occupation_filled' }, limit: 200 } });
      expect(new Set(story.map(({ actor }) => actor.name)).size).toBeGreaterThan(3);
      const payments = await api('GET /payments', { query: { limit: 200 } });
      const captured = payments.reduce((sum, one) => sum + one.captured, 0);
      const [{ captured: told } = { captured: 0 }] = (await api('GET /stats/sales', { query: { days: 30 } })).currencies;
      expect(told).toBe(captured);
    });
    await test.step('the directory’s people are members, with what its groups get', async () => {
      expect(await api('GET /integrations/entra')).toMatchObject({ state: 'active', lastError: null });
      expect((await api('GET /directory')).find(({ source }) => source === 'entra')).toMatchObject({ taken: 4, left: 0, groups: 4 });
      const members = await api('GET /companies/{tenant}/memberships', { params: { tenant: demoCompany.id } });
      const rolesOf = (name: string) => members.find((one) => one.name === name)?.roles;
      expect([rolesOf('Astrid Lie'), rolesOf('Bjørn Dahl'), rolesOf('Dag Moen')]).toEqual([['admin'], ['delivery_manager'], []]);
      const [workshop] = await api('GET /groups', { query: { q: { $text: 'Workshop' } } });
      expect(workshop).toMatchObject({ name: 'Workshop', count: 2 });
    });
  } finally {
    await hatchway.stop();
  }
});
