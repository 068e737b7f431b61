import { expect, test } from '../services.ts';
import { invited } from '../outside.ts';

test.use({ timezoneId: 'America/New_York' });

// shows R2.42
test('whoever looks from another time zone reads a deadline by the company’s clock, and by which', async ({
  page,
  hatchway,
  company,
  say,
  enter,
}) => {
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
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
});
