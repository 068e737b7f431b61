import type { Page } from '@playwright/test';
import { signedIn } from '@hatchway/dev/person.ts';
import type { OwnCompany } from '../company.ts';
import { makeCompany } from '../company.ts';
import { expect, test } from '../journey.ts';
import { offered } from '../offered.ts';

/** Somebody without a role, whose group may deliver at these lockers. */
const scopedTo = async (company: OwnCompany, lockers: string[]) => {
  const person = await company.person([], 'Selma Scoped');
  const { api } = company.admin;
  const [account] = await api('GET /accounts', { query: { q: { email: person.email } } });
  const group = await api('POST /groups', { body: { name: 'Crew' } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
  await api('POST /permissions', { body: { name: 'Parcels', scopes: ['delivery'], groups: [group.id], lockers } });
  return person;
};

test('somebody with a scope delivers, at those lockers alone, and is signed out at once when their membership is withdrawn', async ({
  page,
  company,
  enter,
  act,
  go,
  say,
}) => {
  const theirs = await company.cabinet({ doors: 2 });
  const others = await company.wall({ doors: 2 });
  const scoped = await scopedTo(
    company,
    theirs.lockers.map(({ id }) => id),
  );
  await enter(scoped.email);
  await expect.poll(() => offered(page)).toEqual({ bar: ['Dashboard', 'Manage', 'History'], services: ['Delivery', 'Self-service'] });

  await go('/services/delivery');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await act.write(page.getByRole('combobox', { name: 'Asset', exact: true }), 'Parcel');
  await act.press(next);
  await act.write(page.getByRole('combobox', { name: 'Name', exact: true }), 'Ingrid Solberg');
  await act.write(page.getByRole('combobox', { name: 'E-mail', exact: true }), 'ingrid@e2e.test');
  await act.press(next);
  for (const { doorTag } of theirs.lockers) await expect(page.getByRole('button', { name: new RegExp(doorTag) })).toBeVisible();
  for (const { doorTag } of others.lockers) await expect(page.getByText(doorTag)).toHaveCount(0);

  const { api } = company.admin;
  const all = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
  const membershipId = all.find((one) => one.email === scoped.email)?.id ?? '';
  await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: company.id, membershipId } });
  await expect(page.getByLabel(say('password'), { exact: true })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
});

test('a tab whose company was changed in another tab begins anew, and what was typed there is kept or asked about', async ({
  page,
  hatchway,
  company,
  act,
  handsOn,
  say,
}) => {
  const other = await makeCompany(hatchway);
  try {
    await company.wall({ doors: 1 });
    await other.wall({ doors: 1 });
    const both = await company.person(['delivery_manager'], 'Bo Both');
    await other.join(both.email, ['admin']);
    const standsIn = (tab: Page) => tab.getByRole('banner').getByRole('link', { name: 'Hatchway' });
    const asset = page.getByRole('textbox', { name: say('asset'), exact: true }).or(page.getByRole('combobox', { name: say('asset') }));
    /** What the screen with the typed text sends for the company that it was not typed in. */
    const mixed: string[] = [];
    page.on('request', (request) => {
      const token = Buffer.from(request.headers()['authorization']?.split('.')[1] ?? '', 'base64url').toString();
      if (page.url().includes('/services/delivery') && token.includes(other.id)) mixed.push(request.url());
    });

    await page.clock.install();
    const { cookies } = await signedIn(hatchway.origin, { email: both.email, password: company.password, company: company.name });
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, domain: new URL(hatchway.origin).hostname })));
    await page.goto('/portal/services/delivery');
    await expect(standsIn(page)).toContainText(company.name);
    await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Admin' })).toHaveCount(0);
    await act.write(asset, 'Parcel 77');

    const tab = await page.context().newPage();
    const there = handsOn(tab);
    await tab.goto('/portal/');
    const choose = async (one: OwnCompany) => {
      await there.press(tab.getByRole('button', { name: say('profileMenu') }));
      await there.press(tab.getByRole('button', { name: one.name }));
      await expect(standsIn(tab)).toContainText(one.name);
    };
    await choose(other);
    await expect.poll(async () => (await offered(tab)).bar).toContain('Admin');

    // Until its token is renewed it goes on in the first; the renewal begins it anew, and asks nobody whether they would rather stay.
    await expect(asset).toHaveValue('Parcel 77');
    const asked: string[] = [];
    let stays = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (stays ? dialog.dismiss() : dialog.accept());
    });
    await page.clock.fastForward(5 * 60_000);
    await expect(page).toHaveURL(`${hatchway.origin}/portal/`);
    await expect(standsIn(page)).toContainText(other.name);
    expect(asked).toEqual([]);
    expect(mixed).toEqual([]);

    // It says so, over a reload too, and one press leads back to where one was.
    const word = page.getByText(say('pages.elsewhere.left', { name: company.name, here: other.name }));
    await expect(word).toBeVisible();
    await page.goto('/portal/services/delivery');
    await expect(asset).toHaveValue('');
    await expect(word).toBeVisible();
    await act.press(page.getByRole('button', { name: say('pages.elsewhere.back', { name: company.name }) }));
    await expect(standsIn(page)).toContainText(company.name);
    await expect(asset).toHaveValue('Parcel 77');
    await expect(word).toBeHidden();

    // The other tab hears it in the same way, and may stay.
    await tab.reload();
    await expect(tab.getByText(say('pages.elsewhere.left', { name: other.name, here: company.name }))).toBeVisible();
    await there.press(tab.getByRole('button', { name: say('pages.elsewhere.stay', { here: company.name }) }));
    await expect(standsIn(tab)).toContainText(company.name);
    await expect(tab.getByRole('button', { name: say('pages.elsewhere.back', { name: other.name }) })).toBeHidden();

    // What keeps no draft of what was typed is asked first, and who stays saves it once their tab is in its company again.
    await choose(other);
    await page.goto('/portal/admin?section=templates&kind=recall&channel=sms&locale=en');
    stays = true;
    asked.length = 0;
    const text = page.getByRole('textbox', { name: say('text') });
    await act.write(text, 'Bring it: {link}');
    await choose(company);
    await page.clock.fastForward(5 * 60_000);
    await expect.poll(() => asked).toContain('beforeunload');
    await expect(text).toHaveValue('Bring it: {link}');
    await choose(other);
    await page.clock.fastForward(5 * 60_000);
    await act.press(page.getByRole('button', { name: say('save'), exact: true }));
    await expect
      .poll(async () => (await other.admin.api('GET /templates')).find(({ own }) => own))
      .toMatchObject({ kind: 'recall', text: 'Bring it: {link}' });
  } finally {
    await other.remove();
  }
});

test('a row of another company of one’s own says whose it is, also to who may ask for no such row here, and leads there; a doubt is led to whoever settles it', async ({
  page,
  hatchway,
  company,
  act,
  enter,
  go,
  say,
}) => {
  const other = await makeCompany(hatchway);
  try {
    const { api } = other.admin;
    const [lot, shelf] = (await other.wall({ doors: 2 })).lockers;
    const asset = await api('POST /assets', { body: { name: 'Ladder 7' } });
    const { id } = await api('POST /occupations/delivery', {
      body: { lockerId: lot?.id ?? '', assetText: 'Parcel 77', receiver: { name: 'Per', email: 'per@e2e.test' }, fill: true },
    });
    const { id: linkId } = await api('POST /links', { body: { name: 'Plumber', purpose: 'open', lockerIds: [lot?.id ?? ''] } });
    const { id: occupationId } = await api('POST /occupations', {
      body: { type: 'sale', lockerId: shelf?.id ?? '', assetText: 'Coffee', quantity: 1, price: { amount: 8900, currency: 'NOK' } },
    });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id: occupationId, action } });
    const payment = await api('POST /payments', { body: { occupationId, received: true } });
    const word = page.getByRole('heading', { name: say('pages.elsewhere.row', { name: other.name }) });
    const [doubtful] = (await company.wall({ doors: 1 })).lockers;
    if (!doubtful) throw new Error('no locker');
    const made = await company.admin.api('POST /occupations/delivery', {
      body: { lockerId: doubtful.id, assetText: 'Parcel 78', receiver: { name: 'Per', email: 'per@e2e.test' }, fill: true },
    });
    await company.admin.api('PUT /lockers/{id}/content', { params: { id: doubtful.id }, body: { content: 'empty' } });
    const use = `/services/manageoccupation?id=${made.id}`;
    const check = page.getByRole('link', { name: say('checkThis', { tag: doubtful.doorTag }), exact: true });

    await test.step('who may ask for no such row here reads so of a row of there alone', async () => {
      const both = await company.person(['delivery_manager'], 'Bo Both');
      await enter(both.email);
      await other.join(both.email, ['admin']);
      for (const at of [`manage/links?link=${linkId}`, `manage/payments?payment=${payment._id}`]) {
        await go(`/${at}`);
        await expect(word).toBeVisible();
      }
      await go('/manage/payments');
      await expect(page.getByRole('heading', { name: say('notForRole') })).toBeVisible();
    });

    await test.step('whoever sees that a locker is in doubt, and may not settle it, is told whom to ask', async () => {
      await go(use);
      await expect(page.getByText(say('askToCheck', { tag: doubtful.doorTag }))).toBeVisible();
      await expect(check).toBeHidden();
    });

    await test.step('who may is led there', async () => {
      await page.context().clearCookies();
      await enter(company.admin.email, `/portal${use}`);
      await act.press(check);
      await expect(page.getByRole('main').getByText(doubtful.doorTag, { exact: true })).toBeVisible();
      await other.join(company.admin.email, ['admin']);
      const links = [`manage/assets/${asset._id}`, `history/occupation/${id}`, `services/manageoccupation?id=${id}`];
      for (const link of links) {
        await go(`/${link}`);
        await expect(word).toBeVisible();
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      }
      await act.press(page.getByRole('button', { name: say('pages.elsewhere.go', { name: other.name }) }));
      await expect(page.getByRole('banner').getByRole('link', { name: 'Hatchway' })).toContainText(other.name);
      await expect(page).toHaveURL(`${hatchway.origin}/portal/${links.at(-1)}`);
      await expect(page.getByRole('main').getByText('Parcel 77')).toBeVisible();
      await expect(word).toBeHidden();
    });
  } finally {
    await other.remove();
  }
});
