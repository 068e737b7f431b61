import { acceptInvitation } from '@hatchway/dev/person.ts';
import { messagesTo } from '../company.ts';
import { waiting } from '../counter.ts';
import { expect, test } from '../journey.ts';

// shows R2.18, R5.15, R6.13
test('an administrator invites, sends anew, changes roles and removes: one, and several at once', async ({
  page,
  company,
  hatchway,
  act,
  say,
  enter,
}) => {
  await enter(company.admin.email, '/portal/iam/users');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const email = `nora-${company.id.slice(0, 8)}@e2e.test`;

  await test.step('an invitation needs a way to its person', async () => {
    await act.press(button(say('invite')).first());
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(dialog.getByText(say('reachNeeded'))).toBeVisible();
    // Nobody is asked in who is in: the word stands at the field, and nothing goes out.
    await dialog.getByLabel(say('email')).fill(company.admin.email.toUpperCase());
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(dialog.getByRole('alert').filter({ hasText: 'Ada Admin' })).toBeVisible();
    await act.write(dialog.getByLabel(say('email')), email);
    await act.press(dialog.getByRole('checkbox', { name: say('terms.role.delivery_manager'), exact: true }));
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(dialog).toBeHidden();
    const [invited] = await company.admin.api('GET /companies/{tenant}/invitations', { params: { tenant: company.id } });
    expect(invited?.roles).toEqual(['delivery_manager']);
  });

  await test.step('invited twice they are sent the one invitation anew: the first link is dead and the second lets them in', async () => {
    const [first] = await messagesTo(hatchway.origin, email);
    await act.press(button(say('invite')).first());
    await dialog.getByLabel(say('email')).fill(email.toUpperCase());
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    const already = dialog.getByRole('alert').filter({ hasText: say('invitedAlready') });
    const anew = dialog.getByRole('button', { name: say('sendAnew'), exact: true });
    await expect(already).toBeInViewport();
    // The open one goes to the address alone, and would never reach a number that is typed beside it.
    await dialog.getByLabel(say('tlf')).fill('41234567');
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(already).toContainText(email);
    await expect(anew).toBeHidden();
    await dialog.getByLabel(say('tlf')).fill('');
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await act.press(anew);
    await expect(dialog).toBeHidden();
    await act.press(page.getByRole('main').getByRole('link', { name: say('invitations'), exact: true }));
    await expect(row(email)).toHaveCount(1);
    await expect(button(say('sendAnewTo', { who: email }))).toBeVisible();
    const [second] = await messagesTo(hatchway.origin, email, { least: 2 });
    const dead = await fetch(first?.links[0] ?? '');
    expect(await dead.text()).not.toContain('<form');
    await acceptInvitation(second?.links[0] ?? '', { name: 'Nora New', password: company.password });
    await expect(row(email)).toBeHidden();
  });

  await test.step('another one is sent anew from the list, and withdrawn', async () => {
    const other = `x${email}`;
    await company.admin.api('POST /companies/{tenant}/invitations', { params: { tenant: company.id }, body: { email: other } });
    // Made by somebody else, it appears by itself.
    await act.press(button(say('sendAnewTo', { who: other })));
    await act.press(dialog.getByRole('button', { name: say('sendAnew'), exact: true }));
    await expect(dialog).toBeHidden();
    await act.press(button(say('withdrawTo', { who: other })));
    await act.press(dialog.getByRole('button', { name: say('withdraw'), exact: true }));
    await expect(row(other)).toBeHidden();
  });

  await test.step('roles are words, and hold from then on', async () => {
    await act.press(page.getByRole('main').getByRole('link', { name: say('members'), exact: true }));
    await act.press(button(say('rolesOf', { name: 'Nora New' })));
    const role = dialog.getByRole('checkbox', { name: say('roleLending'), exact: true });
    await act.press(role);
    await expect(role).toBeChecked();
    await act.press(dialog.getByRole('button', { name: say('save'), exact: true }));
    await expect(row('Nora New')).toContainText(say('roleLending'));
  });

  await test.step('the last administrator stays, and that is said', async () => {
    await act.press(button(say('removeThis', { name: 'Ada Admin' })));
    await act.press(dialog.getByRole('button', { name: say('remove'), exact: true }));
    await expect(dialog.getByText(say('lastAdmin'))).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(row('Ada Admin')).toBeVisible();
  });

  await test.step('whoever is removed is gone from the list and from the company, and what is open of theirs is named', async () => {
    const [lot] = (await company.wall({ doors: 1 })).lockers;
    if (!lot) throw new Error('The cabinet has no door.');
    await waiting(company, lot, { name: 'Nora New', email });
    await act.press(button(say('removeThis', { name: 'Nora New' })));
    await expect(dialog.getByRole('alert').getByRole('link', { name: new RegExp(`^${lot.doorTag} · .*Nora New`) })).toBeVisible();
    await act.press(dialog.getByRole('button', { name: say('remove'), exact: true }));
    await expect(row('Nora New')).toBeHidden();
    const members = await company.admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
    expect(members.map((one) => one.name)).toEqual(['Ada Admin']);
  });

  const { api } = company.admin;
  await company.person(['manager'], 'Berit Berg');
  await company.person([], 'Carl Carlsen');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const [one, two] = [1, 2].map((n) => `n${n}-${company.id.slice(0, 8)}@e2e.test`);

  await test.step('each gets an invitation; what is no address is said, and stays', async () => {
    await act.press(page.getByRole('button', { name: say('invite'), exact: true }).first());
    await dialog.getByLabel(say('email')).fill('kept@e2e.test');
    await dialog.getByRole('radio', { name: say('several'), exact: true }).focus();
    await page.keyboard.press('Space');
    const field = dialog.getByLabel(say('peopleField'));
    await field.fill(`${one}, ${two}\nnobody`);
    await dialog.getByRole('radio', { name: say('several'), exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(dialog.getByLabel(say('email'))).toHaveValue('kept@e2e.test');
    await page.keyboard.press('ArrowRight');
    await expect(field).toHaveValue(`${one}, ${two}\nnobody`);
    await act.press(inDialog(say('members.sendSeveral', { count: '2' })));
    await expect(dialog.getByText(say('neitherNor', { words: 'nobody' }))).toBeVisible();
    await field.fill(`${one}, ${two}`);
    await act.press(inDialog(say('members.sendSeveral', { count: '2' })));
    await expect(dialog).toBeHidden();
    for (const email of [one, two]) expect((await messagesTo(hatchway.origin, email ?? '')).length).toBeGreaterThan(0);
  });

  await test.step('a role is given to several, and what else they hold stays', async () => {
    for (const name of ['Berit Berg', 'Carl Carlsen'])
      await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
    await act.press(page.getByRole('button', { name: say('changeRoles'), exact: true }));
    await expect(inDialog(say('changeRoles'))).toBeDisabled();
    await dialog.getByRole('checkbox', { name: say('roleLending'), exact: true }).check();
    await act.press(inDialog(say('changeRoles')));
    await expect(dialog).toBeHidden();
    for (const name of ['Berit Berg', 'Carl Carlsen']) await expect(row(name)).toContainText(say('roleLending'));
    const members = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id }, query: { sort: 'name' } });
    expect(members.map(({ name, roles }) => [name, roles])).toEqual([
      ['Ada Admin', ['admin']],
      ['Berit Berg', ['manager', 'lending_manager']],
      ['Carl Carlsen', ['lending_manager']],
    ]);
  });

  const tick = async (names: string[]) => {
    for (const name of names) await page.getByRole('checkbox', { name: say('selectThis', { name }), exact: true }).check();
  };

  await test.step('several are removed at once; the last administrator is refused, named, and stays', async () => {
    await tick(['Ada Admin', 'Berit Berg', 'Carl Carlsen']);
    await act.press(page.getByRole('button', { name: say('remove'), exact: true }));
    await act.press(inDialog(say('remove')));
    await expect(dialog.getByRole('alert')).toContainText('Ada Admin');
    await expect(dialog.getByRole('alert')).not.toContainText('Berit Berg');
    await act.press(inDialog(say('cancel')));
    for (const name of ['Berit Berg', 'Carl Carlsen']) await expect(row(name)).toBeHidden();
    const members = await api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
    expect(members.map(({ name }) => name)).toEqual(['Ada Admin']);
  });

  await test.step('several invitations are sent anew at once, and withdrawn at once', async () => {
    await act.press(page.getByRole('main').getByRole('link', { name: say('invitations'), exact: true }));
    await tick([one ?? '', two ?? '']);
    await act.press(page.getByRole('button', { name: say('sendAnew'), exact: true }));
    await act.press(inDialog(say('sendAnew')));
    await expect(dialog).toBeHidden();
    for (const email of [one, two]) await messagesTo(hatchway.origin, email ?? '', { least: 2 });
    await tick([one ?? '', two ?? '']);
    await act.press(page.getByRole('button', { name: say('withdraw'), exact: true }));
    await act.press(inDialog(say('withdraw')));
    await expect(dialog).toBeHidden();
    for (const email of [one, two]) {
      await expect(row(email ?? '')).toBeHidden();
      const [last] = await messagesTo(hatchway.origin, email ?? '');
      expect(await (await fetch(last?.links[0] ?? '')).text()).not.toContain('<form');
    }
  });
});
