import { expect, test } from '../journey.ts';

// shows R2.12
test('a controller is paired on its own page: the code is handed over, works once, and the doors are the portal’s', async ({
  page,
  context,
  company,
  act,
  handsOn,
  say,
  enter,
}) => {
  const { api } = company.admin;
  const site = await api('POST /sites', { body: { name: 'Depot', address: 'Storgata 1, Oslo' } });
  const doors = ['P01', 'P02', 'P03'].map((doorTag, at) => ({ doorTag, compartment: at + 1, size: 'M' as const, height: 300 }));
  const name = `North wall ${company.id.slice(0, 8)}`;
  const { id } = await api('POST /cabinets', { body: { siteId: site.id, name, columns: [{ width: 450, doors }] } });
  const dialog = page.getByRole('dialog');

  await enter(company.admin.email, `/portal/manage/lockers?cabinet=${id}`);
  await act.press(page.getByRole('button', { name: say('pairController'), exact: true }));
  const code = await dialog.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).innerText();
  const opened = context.waitForEvent('page');
  await act.press(dialog.getByRole('link', { name: say('pairVirtual') }));
  const controller = await opened;
  const hands = handsOn(controller);
  const codeField = controller.getByLabel(say('pairingCode'), { exact: true });
  const plugIn = controller.getByRole('button', { name: say('pairAndPlugIn'), exact: true });

  await test.step('all is filled in already, the wall too', async () => {
    await expect(codeField).toHaveValue(code);
    await expect(controller.getByLabel(say('name'), { exact: true })).toHaveValue(name);
    await expect(controller.getByLabel(say('shape'), { exact: true })).toContainText(say('asBuilt', { doors: '3' }));
  });

  await test.step('a mistyped code pairs nothing, and says so', async () => {
    await hands.write(codeField, 'WRNG-2345');
    await hands.press(plugIn);
    await expect(controller.getByText(say('codeNotKnown'))).toBeVisible();
    expect(await api('GET /cabinets/{id}', { params: { id } })).toMatchObject({ pairing: 'waiting' });
  });

  await test.step('the right one does, before the eyes of who gave it out', async () => {
    await hands.write(codeField, code);
    await hands.press(plugIn);
    await expect(controller.getByRole('button', { name: new RegExp(`${name} ${say('online')}`) })).toBeVisible();
    await expect(controller.locator('[data-door]')).toHaveCount(3);
    await expect(dialog.getByText(say('pairedOnline'))).toBeVisible();
    // of one that is there now nobody is told when it was heard last
    await expect(page.getByText(say('firmware'), { exact: true })).toBeAttached();
    await expect(page.getByText(say('lastHeard'), { exact: true })).toHaveCount(0);
  });

  await test.step('a door that the portal opens stands open there', async () => {
    const [first] = await api('GET /cabinets/{id}/lockers', { params: { id } });
    await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: first?.id ?? '' } })).door).toBe('closed');
    await hands.press(controller.locator('[data-door]').first());
    await expect(controller.getByRole('heading', { name: say('door', { tag: first?.doorTag ?? '' }) })).toBeVisible();
    await api('POST /lockers/{id}/open', { params: { id: first?.id ?? '' }, body: { doorTag: first?.doorTag ?? '' } });
    await expect(controller.getByRole('button', { name: say('closeDoor'), exact: true })).toBeVisible();
    await hands.press(controller.getByRole('button', { name: say('closeDoor'), exact: true }));
    await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: first?.id ?? '' } })).door).toBe('closed');
  });

  await test.step('the code is spent', async () => {
    await controller.goto('about:blank');
    await controller.goto(`/sandbox/cabinets#pair=${code}&name=Thief`);
    await hands.press(plugIn);
    await expect(controller.getByText(say('codeNotKnown'))).toBeVisible();
  });
});
