import { once, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('what lies in one door is moved within its site, and to another town only by whoever says so', async ({
  page,
  company,
  act,
  say,
  enter,
  counter,
}) => {
  const { api } = company.admin;
  const here = await company.cabinet({ doors: 1 });
  const beside = await company.cabinet({ doors: 1 });
  const away = await company.cabinet({ doors: 2 });
  const { siteId } = await api('GET /cabinets/{id}', { params: { id: here.id } });
  const { version } = await api('GET /cabinets/{id}', { params: { id: beside.id } });
  await api('PUT /cabinets/{id}', { params: { id: beside.id }, body: { version, siteId } });
  const [[from], [near], [far, last]] = [here.lockers, beside.lockers, away.lockers];
  if (!from || !near || !far || !last) throw new Error('no lockers');
  const { id } = await waiting(company, from, { name: 'Ingrid Solberg', tlf: '+4791234567' });
  await enter(company.admin.email);
  await counter.manage(from.doorTag);

  const dialog = page.getByRole('dialog');
  await test.step('it is taken out first, and where it goes comes next, also after a reload', async () => {
    await act.press(counter.button(say('moveTo')));
    await act.press(dialog.getByRole('button', { name: say('moveTo'), exact: true }));
    await expect(dialog).toHaveCount(0);
    await once(() => here.virtual.act({ do: 'close', door: from.compartment }));
    // Nothing was sensed there before either.
    await act.press(counter.button(say('iTookItOut')));
    await expect(counter.button(say('moveTo'))).toHaveAttribute('data-likely');
    await page.reload();
    await expect(counter.button(say('moveTo'))).toHaveAttribute('data-likely');
  });
  await act.press(counter.button(say('moveTo')));
  const choice = dialog.getByLabel(say('lockerField'), { exact: true });
  await expect(choice).toHaveValue(near.id);
  const group = choice.locator('optgroup');
  await expect(group).toHaveAttribute('label', say('elsewhere'));
  await expect.poll(() => group.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toHaveLength(2);
  for (const lot of away.lockers) await expect(group.locator(`option[value="${lot.id}"]`)).toHaveCount(1);

  // the only one near by goes to somebody else meanwhile
  await waiting(company, near, { name: 'Per Hansen', tlf: '+4791234568' });
  await expect(choice).toHaveValue('');
  await act.press(dialog.getByRole('button', { name: say('moveTo'), exact: true }));
  await expect(dialog.getByText(say('chooseDoor'), { exact: true }).last()).toBeVisible();
  await expect(choice).toHaveAttribute('aria-invalid', 'true');
  expect((await api('GET /occupations/{id}', { params: { id } })).lockerId).toBe(from.id);

  await choice.selectOption(far.id);
  const now = () => api('GET /occupations/{id}', { params: { id } });
  await away.virtual.act({ do: 'jam', door: far.compartment, on: true });
  await act.press(dialog.getByRole('button', { name: say('moveAndOpen', { tag: far.doorTag }), exact: true }));
  await expect(dialog).toHaveCount(0);

  await test.step('jammed: it lies nowhere, and goes on to the next door', async () => {
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    expect(await now()).toMatchObject({ lockerId: far.id, stageName: 'RESERVED' });
    expect((await api('GET /lockers/{id}', { params: { id: far.id } })).content).toBe('empty');
    await act.press(counter.button(say('moveTo')));
    await expect(choice).toHaveValue(last.id);
    await act.press(dialog.getByRole('button', { name: say('moveAndOpen', { tag: last.doorTag }), exact: true }));
    await expect(dialog).toHaveCount(0);
  });

  await test.step('it counts as lying there once that door has closed, and not before', async () => {
    await expect.poll(async () => (await now()).stageName).toBe('INITIATED');
    expect((await api('GET /lockers/{id}', { params: { id: last.id } })).content).toBe('empty');
    await once(() => away.virtual.act({ do: 'put', door: last.compartment }));
    await once(() => away.virtual.act({ do: 'close', door: last.compartment }));
    await expect.poll(async () => (await now()).stageName).toBe('FILLED');
    expect(await now()).toMatchObject({ lockerId: last.id, receiver: { name: 'Ingrid Solberg' } });
    expect((await api('GET /lockers/{id}', { params: { id: far.id } })).occupationId).toBeNull();
  });
});
