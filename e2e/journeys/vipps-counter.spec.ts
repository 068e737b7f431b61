import { expect, test } from '../journey.ts';

type Merchant = { msn: string; clientId: string; clientSecret: string; subscriptionKey: string };
type Asked = { token: string; reference: string; state: string };

// shows R2.24
test('the company connects Vipps, and a seller is paid by a request to the customer’s phone', async ({
  page,
  company,
  hatchway: { origin },
  act,
  say,
  enter,
  go,
  language,
}) => {
  const sandbox = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/sandbox/vipps/${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    return (await answer.json()) as T;
  };
  const keys = await sandbox<Merchant>('merchants', { name: company.name });
  const { api } = company.admin;
  const { lockers } = await company.wall({ doors: 1 });
  const goods = { type: 'sale' as const, lockerId: lockers[0]?.id ?? '', assetText: 'Coffee', quantity: 3 };
  const { id } = await api('POST /occupations', { body: { ...goods, price: { amount: 8900, currency: 'NOK' } } });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  const payment = async () => {
    const [newest] = await api('GET /payments', { query: { sort: '-createdAt', limit: 1 } });
    if (!newest) throw new Error('Nobody was asked to pay.');
    return newest;
  };
  /** What the customer does on their phone with what they were asked for last. */
  const customer = async (what: 'approve' | 'refuse') => {
    const { reference } = await payment();
    const { payments } = await sandbox<{ payments: Asked[] }>('books');
    const asked = payments.find((one) => one.reference === reference);
    await sandbox(`payments/${asked?.token ?? ''}`, { act: what });
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const price = (amount: number) => (language === 'nb' ? `${amount},00 kr` : `NOK ${amount}.00`);

  await test.step('without it, it says what it would give; a key that lacks is named as it is saved', async () => {
    await enter(company.admin.email, '/portal/integration/vipps');
    await expect(page.getByText(say('notConnected'), { exact: true })).toBeVisible();
    await expect(page.getByText(say('integrations.vipps.give.counter'))).toBeVisible();
    const write = (name: 'merchantSerialNumber' | 'clientId' | 'clientSecret' | 'subscriptionKey', text: string) =>
      page.getByLabel(say(`integrations.fields.${name}`), { exact: true }).fill(text);
    await write('merchantSerialNumber', '12');
    await write('clientId', keys.clientId);
    await write('clientSecret', 'never-to-be-seen');
    await act.press(button(say('integrations.saveAndTest')));
    await expect(page.getByText(say('fourToSeven'))).toBeVisible();
    await write('merchantSerialNumber', keys.msn);
    await act.press(button(say('integrations.saveAndTest')));
    await expect(page.getByText(say('integrations.faults.keys-missing'))).toBeVisible();
    await expect(page.getByText(say('oneIsKept'))).toBeVisible();
    await expect(page.getByLabel(say('integrations.fields.clientSecret'), { exact: true })).toHaveValue('');
    expect(await page.content()).not.toContain('never-to-be-seen');
    await write('subscriptionKey', keys.subscriptionKey);
    await write('clientSecret', keys.clientSecret);
    await act.press(button(say('integrations.saveAndTest')));
    await expect(page.getByText(say('integrations.since.active'))).toBeVisible();
    await expect(page.getByText(say('integrations.hasWebhook'))).toBeVisible();
  });

  await test.step('a request is followed while the dialog stands; refused, it is sent again', async () => {
    await go('/services/storefront');
    await act.press(page.getByRole('button', { name: say('sell') }));
    await act.press(button(say('payments.take.toPhone')));
    await expect(dialog.getByText(say('payments.take.tlfNeeded'))).toBeVisible();
    await dialog.getByLabel(say('payments.take.tlf')).fill('91234567');
    await act.press(button(say('payments.take.toPhone')));
    await expect(dialog.getByText(say('payments.request.sent.title', { tlf: '+4791234567' }))).toBeVisible();
    await customer('refuse');
    await expect(dialog.getByText(say('payments.request.declined.title'), { exact: true })).toBeVisible();
    await act.press(button(say('payments.request.again')));
    await act.press(button(say('payments.take.toPhone')));
    await expect(dialog.getByText(say('payments.request.sent.title', { tlf: '+4791234567' }))).toBeVisible();
    await customer('approve');
    await expect(page).toHaveURL(/manageoccupation/);
    expect(await payment()).toMatchObject({ state: 'reserved', provider: 'vipps', amount: 8900 });
  });

  await test.step('nobody disconnects it meanwhile, and is led to what is under way', async () => {
    await go('/integration/vipps');
    await act.press(button(say('integrations.disconnect')));
    await act.press(dialog.getByRole('button', { name: say('integrations.disconnect'), exact: true }));
    await act.press(dialog.getByRole('link', { name: (await payment()).reference }));
    await expect(page).toHaveURL(/payment=/);
  });

  await test.step('Vipps captures and gives back what it is asked for, after which there is nothing to give back', async () => {
    await act.press(dialog.getByRole('button', { name: say('capture'), exact: true }));
    const asked = page.getByRole('dialog', { name: say('payments.move.capture.title', { amount: price(89), payer: '+4791234567' }) });
    await act.press(asked.getByRole('button', { name: say('capture'), exact: true }));
    await expect(asked).toBeHidden();
    await expect.poll(payment).toMatchObject({ state: 'captured', captured: 8900, pending: [] });
    const refund = dialog.getByRole('button', { name: say('refund'), exact: true });
    await act.press(refund);
    const back = page.getByRole('dialog', { name: say('giveBackTo', { amount: price(89), payer: '+4791234567' }) });
    await act.press(back.getByRole('button', { name: say('refund'), exact: true }));
    await expect(back).toBeHidden();
    await expect.poll(payment).toMatchObject({ state: 'refunded', captured: 8900, refunded: 8900, pending: [] });
    await expect(refund).toBeHidden();
  });

  await test.step('then it is disconnected, by a word', async () => {
    await go('/integration/vipps');
    await act.press(button(say('integrations.disconnect')));
    const asked = page.getByRole('dialog', { name: say('disconnectAsked', { name: 'Vipps MobilePay' }) });
    await act.press(asked.getByRole('button', { name: say('integrations.disconnect'), exact: true }));
    await expect(page.getByText(say('notConnected'), { exact: true })).toBeVisible();
    expect(await api('GET /integrations')).toEqual([]);
  });
});
