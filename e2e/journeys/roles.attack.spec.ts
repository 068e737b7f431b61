import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { signIn } from '@hatchway/dev/person.ts';
import { makeCompany, type OwnCabinet, type OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';

// Each of the demo's people with their own token at the API: for every noun its list is read, and something is written.

const all: readonly RouteSpec[] = routes;
/** Asked of nobody's rights: no token, the operator's, or whoever signed in. */
const ANYBODY = ['public', 'operator', 'signed-in', 'company'];
const lists = all.filter((route) => route.method === 'GET' && !route.path.includes('{') && !ANYBODY.includes(route.access));
const writes = all.filter((route) => route.method !== 'GET' && ![...ANYBODY, 'portal'].includes(route.access));

/** Areas that each may call at all: by domain.md, not by the code. What they may do to one row is asked row by row. */
const MAY: Record<string, readonly string[]> = {
  counter: ['portal', 'occupations', 'doors', 'orders'],
  shop: ['portal', 'occupations', 'doors', 'storefront', 'payments.read', 'payments.write'],
  scoped: ['portal', 'occupations', 'doors'],
};

/** A call of one service alone: who has its area and not its service is refused too. */
const maySend = (who: string, { path, access }: RouteSpec): boolean =>
  (MAY[who]?.includes(access) ?? false) && (path !== '/occupations/delivery' || who !== 'shop');

/** Two walls, and a parcel behind a door of each. */
const parcelsOf = async (company: OwnCompany) => {
  const [near, far] = [await company.wall({ doors: 2 }), await company.wall({ doors: 2 })];
  const { api } = company.admin;
  const parcel = async (lockerId: string, name: string) =>
    (await api('POST /occupations/delivery', { body: { lockerId, assetText: name, receiver: { name, email: 'r@e2e.test' }, fill: true } }))
      .id;
  const parcels = [await parcel(near.lockers[0]?.id ?? '', 'Near Parcel'), await parcel(far.lockers[0]?.id ?? '', 'Far Parcel')];
  return { near, far, parcels };
};

/** Staff of two roles, and somebody without one whose group may deliver at these lockers. */
const peopleOf = async (company: OwnCompany, { lockers }: Pick<OwnCabinet, 'lockers'>) => {
  const { api } = company.admin;
  const scoped = await company.person([], 'Selma Scoped');
  const [account] = await api('GET /accounts', { query: { q: { email: scoped.email } } });
  const group = await api('POST /groups', { body: { name: 'Crew' } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
  await api('POST /permissions', { body: { name: 'Parcels', scopes: ['delivery'], groups: [group.id], lockers: lockers.map(({ id }) => id) } }); // prettier-ignore
  return { counter: await company.person(['delivery_manager']), shop: await company.person(['sale_manager']), scoped };
};

const ask = async (origin: string, token: string, route: RouteSpec) => {
  const path = route.path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000');
  const answer = await fetch(`${origin}/v1${path}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, ...(route.method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(route.method === 'GET' ? {} : { body: '{}' }),
  });
  return { status: answer.status, text: await answer.text() };
};

test('each person is answered by their own rights, whatever their screen offers; whoever belongs to two companies meets in each none of the other', async ({
  company,
  hatchway,
}) => {
  // some seven hundred calls
  test.setTimeout(600_000);
  const { near, far, parcels } = await parcelsOf(company);
  for (const [who, person] of Object.entries(await peopleOf(company, near))) {
    const token = await person.token();
    for (const route of [...lists, ...writes]) {
      const { status, text } = await ask(hatchway.origin, token, route);
      const may = maySend(who, route);
      const call = `${who}: ${route.method} ${route.path}`;
      expect.soft([call, status === 403], text.slice(0, 200)).toEqual([call, !may]);
      expect.soft(status, call).toBeLessThan(500);
      if (who === 'scoped') for (const { id, doorTag } of far.lockers) expect.soft([call, text.includes(id), text.includes(doorTag)]).toEqual([call, false, false]); // prettier-ignore
      if (who === 'shop') expect.soft([call, text.includes('Parcel')]).toEqual([call, false]);
    }
  }

  const other = await makeCompany(hatchway);
  try {
    // as both@demo.test: at the counter here, administrator there
    const both = await company.person(['delivery_manager'], 'Bo Both');
    await other.join(both.email, ['admin']);
    await other.admin.api('POST /assets', { body: { name: 'Drill of the other' } });
    const at = (name: string) => signIn(hatchway.origin, { email: both.email, password: company.password, company: name });
    const [here, there] = [await at(company.name), await at(other.name)];

    await test.step('here they may read what the counter may, and nothing of there', async () => {
      const token = await here.token();
      for (const route of lists) {
        const { status, text } = await ask(hatchway.origin, token, route);
        const call = `both, at the counter: ${route.method} ${route.path}`;
        expect.soft([call, status === 403], text.slice(0, 200)).toEqual([call, !MAY['counter']?.includes(route.access)]);
        expect.soft([call, text.includes('of the other'), text.includes(other.name)]).toEqual([call, false, false]);
      }
    });

    await test.step('there they are refused no list, and read nothing of here', async () => {
      const token = await there.token();
      for (const route of lists) {
        const { status, text } = await ask(hatchway.origin, token, route);
        const call = `both, as administrator: ${route.method} ${route.path}`;
        expect.soft([call, status === 403], text.slice(0, 200)).toEqual([call, false]);
        for (const mark of ['Parcel', company.id, ...[...near.lockers, ...far.lockers].map(({ id }) => id)])
          expect.soft([call, text.includes(mark)]).toEqual([call, false]);
      }
    });

    await test.step('a row of the one, named with the token of the other, is not found', async () => {
      const refused = (call: Promise<unknown>) => call.then(() => 200, (error: { status?: number }) => error.status); // prettier-ignore
      const [door] = near.lockers;
      const id = door?.id ?? '';
      for (const parcel of parcels) {
        expect(await refused(there.api('GET /occupations/{id}', { params: { id: parcel } }))).toBe(404);
        expect(await refused(there.api('DELETE /occupations/{id}', { params: { id: parcel }, body: {} }))).toBe(404);
      }
      expect(await refused(there.api('POST /lockers/{id}/open', { params: { id }, body: { doorTag: door?.doorTag ?? '' } }))).toBe(404);
      for (const { api } of [here, there]) {
        const mine = api === here.api ? other.id : company.id;
        expect(await refused(api('GET /companies/{tenant}', { params: { tenant: mine } }))).toBe(404);
        expect([403, 404]).toContain(await refused(api('GET /companies/{tenant}/memberships', { params: { tenant: mine } })));
      }
    });
  } finally {
    await other.remove();
  }
});

/** What each meets at addresses that their menu does not show: each once, and for the others where their rights come close. */
const CLOSED: Record<string, readonly string[]> = {
  counter: ['/services/sale', '/services/lock-control', '/manage/lockers', '/manage/links', '/manage/payments', '/iam/users', '/iam/groups', '/iam/assetgroups', '/admin', '/admin/api', '/admin/permissions', '/integration/vipps', '/integration/entraid'],
  shop: ['/services/delivery', '/services/selfservice', '/services/lending', '/services/lock-control', '/admin'],
  scoped: ['/services/sale', '/services/lending', '/services/lock-control', '/manage/links', '/manage/payments', '/admin'],
}; // prettier-ignore
const SAYS =
  /cannot use this|for administrators|not for your role|Only administrators|administrators look after|cannot use the locker builder/i;

test('each person is told plainly at screens that are not theirs, and the palette offers none of them', async ({
  page,
  company,
  enter,
}) => {
  const people = await peopleOf(company, await company.wall({ doors: 1 }));
  const main = page.getByRole('main');
  /** Within the page, as a link leads there: each address loaded by itself is what `screens` shows. */
  const go = (path: string) => page.evaluate(`history.pushState({}, '', '/portal${path}')`);
  for (const who of ['counter', 'shop', 'scoped'] as const)
    await test.step(who, async () => {
      await page.context().clearCookies();
      await enter(people[who].email);
      for (const path of CLOSED[who] ?? []) {
        // what is said next is of no screen before it
        await go('/settings');
        await expect(main.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
        await go(path);
        await expect.soft(main.getByText(SAYS).first(), `${who} ${path}`).toBeVisible();
        await expect.soft(main.getByRole('button', { name: /^(New|Make|Invite|Add|Save)/ }), `${who} ${path}`).toHaveCount(0);
      }
      await go('/');
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog');
      await expect(palette.getByText('Dashboard', { exact: true })).toBeVisible();
      for (const word of ['API keys', 'Manage permissions', 'Groups', 'Users', 'Administrator'])
        await expect.soft(palette.getByText(word, { exact: true })).toHaveCount(0);
    });
});
