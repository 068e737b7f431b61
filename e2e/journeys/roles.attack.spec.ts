import type { OwnCabinet, OwnCompany } from '../company.ts';
import { expect, test } from '../journey.ts';

// Each of the demo's people at addresses that are not theirs. What the API answers them: server/http/walk.test.ts, reach.test.ts and whose.test.ts.

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

/** What each meets at addresses that their menu does not show: each once, and for the others where their rights come close. */
const CLOSED: Record<string, readonly string[]> = {
  counter: ['/services/sale', '/services/lock-control', '/manage/lockers', '/manage/links', '/manage/payments', '/iam/users', '/iam/groups', '/iam/assetgroups', '/admin', '/admin/api', '/admin/permissions', '/integration/vipps', '/integration/entraid'],
  shop: ['/services/delivery', '/services/selfservice', '/services/lending', '/admin'],
  scoped: ['/services/lock-control', '/manage/links', '/admin'],
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
  /** Within the page, as a link leads there: each address loaded by itself is what e2e/screens shows. */
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
