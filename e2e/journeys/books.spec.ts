import { expect, test } from '../journey.ts';

type Keys = { msn: string; clientId: string; clientSecret: string; subscriptionKey: string };
type Books = { payments: { reference: string; token: string; state: string }[] };

test('whoever reads payments compares the books of a day with the provider’s', async ({ page, company, hatchway, act, say, enter }) => {
  const sandbox = async <T>(path: string, body?: unknown): Promise<T> => {
    const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${hatchway.origin}/sandbox/vipps${path}`, sent);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  };
  const { api } = company.admin;
  const { msn, clientId, clientSecret, subscriptionKey } = await sandbox<Keys>('/merchants', { name: 'Books AS' });
  const settings = { merchantSerialNumber: msn, clientId, testMode: true };
  await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: { settings, secrets: { clientSecret, subscriptionKey } } });
  const { lockers } = await company.wall({ doors: 1 });
  const goods = { type: 'sale' as const, lockerId: lockers[0]?.id ?? '', assetText: 'Coffee', quantity: 3 };
  const { id } = await api('POST /occupations', { body: { ...goods, price: { amount: 8900, currency: 'NOK' } } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  const asked = { occupationId: id, provider: 'vipps' as const, payer: { name: 'Kari Kunde', tlf: '+4791234567' } };
  const compare = page.getByRole('button', { name: say('books.action'), exact: true });
  const dialog = page.getByRole('dialog', { name: say('books.title') });
  const again = dialog.getByRole('button', { name: say('books.again'), exact: true });

  await test.step('a day on which nothing was paid says so', async () => {
    await enter(company.admin.email, '/portal/manage/payments');
    await act.press(compare);
    await expect(dialog).toContainText(say('books.empty'));
  });

  await test.step('it begins at its day, whose calendar opens and shuts by keys', async () => {
    const calendar = dialog.locator('[data-dates-dropdown]');
    await expect(dialog.getByLabel(say('books.day'), { exact: true })).toBeFocused();
    await expect(calendar).toBeHidden();
    await page.keyboard.press('ArrowDown');
    await expect(calendar).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(calendar).toBeHidden();
    await expect(dialog).toBeVisible();
  });

  const { reference } = await api('POST /payments', { body: asked });
  const ours = (books: Books) => books.payments.find((payment) => payment.reference === reference);
  await expect.poll(async () => ours(await sandbox<Books>('/books'))?.state).toBe('CREATED');
  await sandbox(`/payments/${ours(await sandbox<Books>('/books'))?.token}`, { act: 'approve' });
  await expect.poll(async () => (await api('GET /payments'))[0]?.state, { timeout: 30_000 }).toBe('reserved');
  const row = dialog.getByRole('row').filter({ hasText: reference });

  await test.step('what was paid is the same in both', async () => {
    await act.press(again);
    await expect(row).toContainText(say('books.same'));
    await expect(row.getByText(say('reserved'))).toHaveCount(2);
    await expect(dialog.getByRole('status')).toHaveText(say('books.allSame', { count: '1' }));
  });

  await test.step('what the provider does not say is told with what to do', async () => {
    await sandbox('/faults', { kind: 'outage', times: 1, reference });
    await act.press(again);
    await expect(dialog.getByRole('status')).toHaveText(say('books.differ', { count: '1' }));
    await expect(row).toContainText(say('books.todos.unread'));
    await act.press(again);
    await expect(row).toContainText(say('books.same'));
  });

  await test.step('a server that is away is said, and asked again', async () => {
    await page.route('**/v1/payments/reconcile*', (route) => route.abort('connectionreset'));
    await act.press(again);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await page.unroute('**/v1/payments/reconcile*');
    await act.press(dialog.getByRole('button', { name: say('common.retry'), exact: true }));
    await expect(dialog.getByRole('alert')).toBeHidden();
    await expect(row).toContainText(say('books.same'));
  });
});
