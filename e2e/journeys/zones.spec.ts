import { expect, test } from '../services.ts';
import { invited } from '../outside.ts';

test.use({ timezoneId: 'America/New_York' });

// shows R2.42
test('whoever looks from another time zone reads and writes a deadline by the company’s clock, and by which', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot, free] = cabinet.lockers;
  if (!lot || !free) throw new Error('The cabinet lacks doors.');
  const { api } = company.admin;
  const until = new Date(Date.now() + 30 * 3_600_000).toISOString();
  const { id, path } = await invited(
    hatchway.origin,
    company,
    lot,
    { type: 'storage', assetText: 'Suitcase', pickupBy: until },
    { fill: true },
  );
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', hour: '2-digit', minute: '2-digit' }).format(new Date(until));
  await page.goto(path);
  await expect(page.getByText(new RegExp(`${clock} (CES?T|GMT\\+[12])`))).toBeVisible();
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${id}`);
  await expect(page.getByText(say('keptUntil'), { exact: true })).toBeVisible();
  await expect(page.getByText(new RegExp(`${clock}:\\d\\d (CES?T|GMT\\+[12])`)).first()).toBeVisible();

  // an access link too, until when it works
  const { id: linkId } = await api('POST /links', {
    body: { name: 'Fitter', purpose: 'open', lockerIds: [lot.id], validFrom: new Date().toISOString(), validTo: until, maxUses: 1 },
  });
  await go(`/manage/links?link=${linkId}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(new RegExp(`^\\d\\d\\.\\d\\d\\.\\d{4} ${clock}:\\d\\d (CES?T|GMT\\+[12])$`))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // as it is written too
  await act.press(page.getByRole('button', { name: say('newAccessLink') }).first());
  const field = dialog.getByLabel(say('worksUntil'));
  await expect(field).toHaveAccessibleDescription(/ \((CES?T|GMT\+[12])\)$/);
  const year = new Date().getFullYear() + 1;
  await dialog.getByRole('textbox', { name: say('name'), exact: true }).fill('Plumber');
  // on the second Sunday of March the clocks leave this hour out, here and not there
  const spring = 8 + ((7 - new Date(Date.UTC(year, 2, 8)).getUTCDay()) % 7);
  for (const [written, name] of [
    [`10.12.${year} 16:00`, 'CET|GMT\\+1'],
    [`${spring}.03.${year} 02:30`.padStart(16, '0'), 'CET|GMT\\+1'],
    [`05.07.${year} 16:00`, 'CEST|GMT\\+2'],
  ] as const) {
    await act.write(field, written);
    await field.press('Tab');
    await expect(field).toHaveAccessibleDescription(new RegExp(` \\((${name})\\)$`));
    await expect(field).toHaveValue(written);
  }
  await act.press(dialog.locator(`[data-door="${free.id}"]`));
  await act.press(dialog.getByRole('button', { name: say('makeLink'), exact: true }));
  await expect(dialog.getByText(/\/l\/[A-Za-z0-9_-]{43}$/)).toBeVisible();
  const link = (await api('GET /links')).find(({ name }) => name === 'Plumber');
  expect(link?.validTo).toBe(`${year}-07-05T14:00:00.000Z`);
  await expect(dialog.getByText(new RegExp(`^05\\.07\\.${year} 16:00:00 (CEST|GMT\\+2)$`))).toBeVisible();
});
