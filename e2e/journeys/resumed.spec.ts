import { someNumber } from '../counter.ts';
import { expect, test } from '../services.ts';

test('a draft that was left is named at the step where it goes on, and can be begun anew there; what is new is not called by its time', async ({
  page,
  company,
  act,
  say,
  enter,
  visit,
  counter,
}) => {
  await company.wall({ doors: 2 });
  await enter(company.admin.email, '/portal/services/delivery');
  const line = page
    .getByRole('main')
    .getByRole('paragraph')
    .filter({ hasText: say('goesOnWith') });
  await counter.field(say('asset')).fill('Parcel 77');
  await counter.next();
  await counter.person('Ingrid Solberg', someNumber());
  await counter.next();
  await expect(page.getByText(say('stepOf', { step: '3', total: '4' }))).toBeVisible();
  // whoever typed it a moment ago needs no word of it
  await expect(line).toHaveCount(0);

  await visit(say('dashboard'));
  await expect(counter.heading(say('dashboard'))).toBeVisible();
  await counter.go('/services/delivery');
  await expect(page.getByText(say('stepOf', { step: '3', total: '4' }))).toBeVisible();
  await expect(line).toContainText('Parcel 77 · Ingrid Solberg');

  await act.press(counter.button(say('startOver')));
  await act.press(page.getByRole('dialog').getByRole('button', { name: say('startOver'), exact: true }));
  await expect(page.getByText(say('stepOf', { step: '1', total: '4' }))).toBeVisible();
  await expect(line).toHaveCount(0);
  await expect(counter.field(say('asset'))).toHaveValue('');
  await expect(counter.field(say('asset'))).toBeFocused();

  // what takes the place of what was begun
  await counter.field(say('asset')).fill('Parcel 77');
  await visit(say('dashboard'));
  await expect(counter.heading(say('dashboard'))).toBeVisible();
  await counter.go('/services/delivery');
  await expect(line).toContainText('Parcel 77');
  await counter.field(say('asset')).fill('Parcel 78');
  await expect(line).toHaveCount(0);
  await counter.next();
  await expect(page.getByText(say('stepOf', { step: '2', total: '4' }))).toBeVisible();
  await expect(line).toHaveCount(0);
});
