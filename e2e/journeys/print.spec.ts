import { expect, test } from '../journey.ts';
import { pagesOf } from '../pdf.ts';

const squeezed = (text: string) => text.replaceAll(/\s/g, '');

test('labels of things and doors are printed as they are chosen: on a sheet, or one a page of the roll', async ({
  page,
  company,
  act,
  enter,
  go,
  say,
}) => {
  const { api } = company.admin;
  const cabinet = await company.wall({ doors: 3 });
  const asset = await api('POST /assets', {
    body: { name: 'Theodolite', identifiers: ['TH-1', 'TH-2'].map((value) => ({ kind: 'barcode', value })) },
  });
  const choose = (paper: 'common.papers.a4' | 'common.papers.roll-62' | 'common.papers.tape-24') =>
    page.getByText(say(paper), { exact: true }).click();
  const printed = async () => pagesOf(await page.pdf({ preferCSSPageSize: true }));
  /** Of each page its size, and which of these stand on it. */
  const sheets = async (...words: string[]) =>
    (await printed()).map(({ width, height, text }) => [width, height, words.filter((word) => squeezed(text).includes(squeezed(word)))]);

  await enter(company.admin.email, `/portal/manage/assets/${asset._id}`);
  await act.press(page.getByRole('button', { name: say('printLabels'), exact: true }));
  await expect(page.getByRole('dialog').getByRole('img', { name: 'QR TH-2' })).toBeVisible();
  const things = ['TH-1', 'TH-2'];
  expect(await sheets(...things)).toEqual([[210, 297, things]]);
  await choose('common.papers.roll-62');
  expect(await sheets(...things)).toEqual(things.map((thing) => [62, 29, [thing]]));
  await choose('common.papers.tape-24');
  expect(await sheets('Theodolite', ...things)).toEqual(things.map((thing) => [60, 24, ['Theodolite', thing]]));

  await go(`/manage/lockers?cabinet=${cabinet.id}&view=labels`);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);
  const words = [String(cabinet.number), ...cabinet.lockers.map(({ doorTag }) => doorTag)];
  const tags = words.slice(1);
  expect(await sheets(...tags)).toEqual([[60, 24, []], ...tags.map((tag) => [60, 24, [tag]])]);
  await choose('common.papers.roll-62');
  expect(await sheets(...tags)).toEqual([[62, 29, []], ...tags.map((tag) => [62, 29, [tag]])]);
  await choose('common.papers.a4');
  expect(await sheets(...words)).toEqual([[210, 297, words]]);
});
