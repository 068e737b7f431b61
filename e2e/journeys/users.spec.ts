import { acceptInvitation } from '@hatchway/dev/person.ts';
import { messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';

// shows R2.18, R5.15
test('an administrator invites, sends anew, changes roles and removes', async ({ page, company, hatchway, act, say, enter }) => {
  await enter(company.admin.email, '/portal/iam/users');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const email = `nora-${company.id.slice(0, 8)}@e2e.test`;

  await test.step('an invitation needs a way to its person', async () => {
    await act.press(button(say('invite')).first());
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(dialog.getByText(say('reachNeeded'))).toBeVisible();
    await act.write(dialog.getByLabel(say('email')), email);
    await act.press(dialog.getByRole('button', { name: say('sendInvitation') }));
    await expect(dialog).toBeHidden();
  });

  await test.step('sent anew, the first link is dead and the second lets them in', async () => {
    const [first] = await messagesTo(hatchway.origin, email);
    await act.press(page.getByRole('main').getByRole('link', { name: say('invitations'), exact: true }));
    await expect(row(email)).toBeVisible();
    await act.press(button(say('sendAnewTo', { who: email })));
    await act.press(dialog.getByRole('button', { name: say('sendAnew'), exact: true }));
    await expect(dialog).toBeHidden();
    const [second] = await messagesTo(hatchway.origin, email, { least: 2 });
    const dead = await fetch(first?.links[0] ?? '');
    expect(await dead.text()).not.toContain('<form');
    await acceptInvitation(second?.links[0] ?? '', { name: 'Nora New', password: company.password });
    await expect(row(email)).toBeHidden();
  });

  await test.step('another one is withdrawn', async () => {
    const other = `x${email}`;
    await company.admin.api('POST /companies/{tenant}/invitations', { params: { tenant: company.id }, body: { email: other } });
    await page.reload();
    await act.press(button(say('withdrawTo', { who: other })));
    await act.press(dialog.getByRole('button', { name: say('withdraw'), exact: true }));
    await expect(row(other)).toBeHidden();
  });

  await test.step('roles are words, and hold from then on', async () => {
    await act.press(page.getByRole('main').getByRole('link', { name: say('members'), exact: true }));
    await act.press(button(say('rolesOf', { name: 'Nora New' })));
    const role = dialog.getByRole('checkbox', { name: say('roleLending'), exact: true });
    await role.focus();
    await page.keyboard.press('Space');
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

  await test.step('whoever is removed is gone from the list and from the company', async () => {
    await act.press(button(say('removeThis', { name: 'Nora New' })));
    await act.press(dialog.getByRole('button', { name: say('remove'), exact: true }));
    await expect(row('Nora New')).toBeHidden();
    const members = await company.admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
    expect(members.map((one) => one.name)).toEqual(['Ada Admin']);
  });
});
