import { expect, test } from '../journey.ts';

const send = async <T>(url: string, method: 'POST' | 'DELETE', body?: unknown): Promise<T> => {
  const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url, { method, ...json });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
};

// shows R2.25, R3.17
test('the person of a connected directory signs in there, and is out once removed there; another directory calls by SCIM', async ({
  page,
  browser,
  company,
  act,
  say,
  enter,
  go,
  hatchway: { origin },
}) => {
  const at = `${origin}/sandbox/directory`;
  const { tid, domain } = await send<{ tid: string; domain: string }>(`${at}/tenants`, 'POST', { name: `Firm ${crypto.randomUUID()}` });
  await enter(company.admin.email, '/portal/integration/entraid');
  await expect(page.getByText(say('notConnected'), { exact: true })).toBeVisible();
  const field = page.getByLabel(say('directoryId'));
  const ask = page.getByRole('button', { name: say('askDirectory') });
  await field.fill('no directory');
  await act.press(ask);
  await expect(page.getByText(say('wrongDirectory'))).toBeVisible();
  await field.fill(tid);
  await act.press(ask);

  // Its administrator consents, and shows who they are.
  await act.press(page.locator('.payer .primary'));
  await act.press(page.getByRole('button', { name: /^Astrid Lie/ }));
  await expect(page.getByText(say('isConnected'), { exact: true })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  const sync = page.getByRole('button', { name: say('syncNow') });
  await act.press(sync);
  const members = () => company.admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } });
  await expect.poll(async () => (await members()).map(({ name }) => name)).toContain('Bjørn Dahl');
  // What his group there gives.
  const tabs = page.getByRole('navigation', { name: say('directory.takenOver') });
  await act.press(tabs.getByRole('link', { name: say('directory.groups') }));
  await act.press(page.getByRole('button', { name: say('directory.map', { name: 'Reception' }) }));
  const mapping = page.getByRole('dialog', { name: say('directory.map', { name: 'Reception' }) });
  await act.press(mapping.getByRole('checkbox', { name: say('terms.role.manager'), exact: true }));
  await act.press(mapping.getByRole('button', { name: say('common.save') }));
  await expect(mapping).toBeHidden();
  const roles = async (name: string) => (await members()).find((one) => one.name === name)?.roles;
  await expect.poll(() => roles('Bjørn Dahl')).toEqual(['manager']);
  expect(await roles('Dag Moen')).toEqual([]);

  const theirs = await browser.newContext({ baseURL: origin });
  const there = await theirs.newPage();
  await there.goto('/portal/');
  await there.locator('button[name=by]').click();
  await there
    .getByRole('button', { name: `@${domain}` })
    .filter({ hasText: 'Bjørn Dahl' })
    .click();
  await expect(there).toHaveURL(/\/portal\//);
  await expect(there.getByRole('button', { name: /Bjørn Dahl/ })).toBeVisible();

  const { people } = (await (await fetch(`${at}/books?tid=${tid}`)).json()) as { people: { id: string; name: string }[] };
  await send(`${at}/faults`, 'POST', { kind: 'outage', times: null, reference: tid });
  await send(`${at}/people/${people.find(({ name }) => name === 'Bjørn Dahl')?.id}`, 'DELETE');
  await act.press(sync);
  await expect(page.getByRole('alert').getByText(say('directoryFailing'))).toBeVisible();
  await expect(there.getByRole('button', { name: /Bjørn Dahl/ })).toBeVisible();
  await fetch(`${at}/faults`, { method: 'DELETE' });
  await act.press(sync);
  await expect(there.locator('button[name=by]')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(say('directoryFailing'))).toBeHidden();
  await theirs.close();

  await act.press(page.getByRole('button', { name: say('disconnect'), exact: true }));
  const dialog = page.getByRole('dialog', { name: say('disconnectAsked', { name: 'Microsoft Entra ID' }) });
  await act.press(dialog.getByRole('button', { name: say('disconnect'), exact: true }));
  await expect(page.getByText(say('notConnected'), { exact: true })).toBeVisible();
  await expect(field).toHaveValue('');
  await expect.poll(async () => (await members()).length).toBe(1);

  // The people of another one are told of by its own calls.
  await go('/integration/scim');
  await act.press(page.getByRole('button', { name: say('directory.scim.make') }));
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await act.press(page.getByRole('button', { name: say('directory.scim.kept') }));
  await expect(page.getByText(secret)).toHaveCount(0);
  const scim = async (method: string, path: string, body?: object): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' };
    const answer = await fetch(`${origin}/scim/v2${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (answer.status === 204 ? { id: '' } : await answer.json()) as { id: string };
  };
  const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
  const userName = `tuva.${crypto.randomUUID()}@example.com`;
  const tuva = await scim('POST', '/Users', { schemas: [user], userName, displayName: 'Tuva Tun', active: true });
  const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Drivers', members: [{ value: tuva.id }] };
  await scim('POST', '/Groups', group);
  await expect(page.getByText(userName)).toBeVisible();
  await expect(page.getByText(say('directory.taken'), { exact: true }).filter({ visible: true }).last()).toBeVisible();

  const tables = page.getByRole('navigation', { name: say('directory.takenOver') });
  await act.press(tables.getByRole('link', { name: say('directory.groups') }));
  await act.press(page.getByRole('button', { name: say('directory.map', { name: 'Drivers' }) }));
  const drivers = page.getByRole('dialog', { name: say('directory.map', { name: 'Drivers' }) });
  await act.press(drivers.getByRole('checkbox', { name: say('terms.role.delivery_manager'), exact: true }));
  await act.press(drivers.getByRole('button', { name: say('common.save') }));
  await expect(drivers).toBeHidden();
  const rolesOf = async () => (await members()).find((one) => one.email === userName)?.roles;
  expect(await rolesOf()).toEqual(['delivery_manager']);

  await scim('PATCH', `/Users/${tuva.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  });
  expect(await rolesOf()).toBeUndefined();
  await act.press(tables.getByRole('link', { name: say('directory.people') }));
  await expect(page.getByText(say('directory.inactive'), { exact: true }).filter({ visible: true }).last()).toBeVisible();
});
