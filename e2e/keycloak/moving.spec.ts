import { Browser, formsOf } from '@hatchway/dev/browser.ts';
import { acceptInvitation, asOperator, signIn } from '@hatchway/dev/person.ts';
import { makeCompany, messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';
import { startProcess } from '../process.ts';
import { asKeycloaksAdmin } from './keycloak.ts';

/** "Forgot password" of the embedded provider: its mail, its link, its form. */
async function chooseAnew(origin: string, email: string, password: string): Promise<void> {
  const browser = new Browser();
  const [ask] = formsOf(await browser.go(`${origin}/realms/pml/forgotten`));
  if (!ask) throw new Error('no form');
  const { length } = await messagesTo(origin, email, { least: 0 });
  await browser.submit(ask, { login: email });
  const [mail] = await messagesTo(origin, email, { least: length + 1 });
  const [choose] = formsOf(await browser.go(mail?.links[0] ?? ''));
  if (!choose) throw new Error('no form behind the link');
  expect((await browser.submit(choose, { password })).status).toBe(200);
}

/** docs/operations.md, "Keycloak": there and back, as it says. */
test('a company moves from the embedded provider to Keycloak and back, and nobody’s account is lost', async () => {
  const hatchway = await startProcess({ embedded: true });
  try {
    const { origin, operatorKey } = hatchway.where;
    const operator = asOperator(origin, operatorKey);
    const company = await makeCompany(hatchway.where);
    const { password } = company;
    const before = await company.person(['delivery_manager'], 'Kari Counter');
    const meOf = async (email: string, word: string) => (await signIn(origin, { email, password: word })).api('GET /accounts/me');
    const known = await meOf(before.email, password);
    expect(await operator('GET /operator/identity')).toMatchObject({ provider: 'embedded', waiting: 0 });
    const waiting = `waits-${company.id}@e2e.test`;
    const invited = await company.invite(waiting, ['manager']);

    await test.step('to Keycloak: everybody is there, with a new password', async () => {
      const keycloak = await asKeycloaksAdmin();
      await keycloak.alsoServe(origin);
      expect(await hatchway.term()).toBe(0);
      await hatchway.again();
      await expect.poll(() => operator('GET /operator/identity')).toMatchObject({ provider: 'keycloak', waiting: 0, lastError: null });
      await expect(signIn(origin, { email: before.email, password })).rejects.toThrow('could not sign in');
      await keycloak.choosePassword(before.email, 'chosen at Keycloak');
      const there = await meOf(before.email, 'chosen at Keycloak');
      expect(there.account.id).toBe(known.account.id);
      expect(there).toMatchObject({ tenantId: company.id, roles: ['delivery_manager'] });
      // an invitation that was sent before is good still
      await acceptInvitation(invited, { name: 'Vera Waits', password });
      expect(await meOf(waiting, password)).toMatchObject({ tenantId: company.id, roles: ['manager'] });
    });

    await test.step('and back: the old passwords hold, and who came meanwhile chooses one', async () => {
      expect(await hatchway.term()).toBe(0);
      await hatchway.again({ embedded: true });
      expect((await meOf(before.email, password)).account.id).toBe(known.account.id);
      await expect(signIn(origin, { email: waiting, password })).rejects.toThrow('could not sign in');
      await chooseAnew(origin, waiting, 'chosen at Hatchway');
      // a token of the second in which all others were ended is refused
      await expect(async () => {
        expect(await meOf(waiting, 'chosen at Hatchway')).toMatchObject({ tenantId: company.id, roles: ['manager'] });
      }).toPass();
    });

    await test.step('and there once more: nobody is doubled', async () => {
      expect(await hatchway.term()).toBe(0);
      await hatchway.again();
      await expect.poll(async () => (await operator('GET /operator/identity')).waiting).toBe(0);
      expect((await meOf(before.email, 'chosen at Keycloak')).account.id).toBe(known.account.id);
      for (const email of [before.email, waiting]) expect(await (await asKeycloaksAdmin()).users(email)).toHaveLength(1);
    });
  } finally {
    await hatchway.stop();
  }
});
