import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { en } from './en/catalogue.ts';
import { nb } from './nb/catalogue.ts';
import { interpolation, numbers } from './numbers.ts';

const say = async (lng: 'en' | 'nb') => {
  const texts = createInstance().use(numbers);
  await texts.init({ lng, resources: { en: { translation: en }, nb: { translation: nb } }, interpolation });
  return [
    texts.t('storefront.left', { count: 1500 }),
    texts.t('table.shownOf', { shown: 25, total: 100_000 }),
    texts.t('builder.cabinetNumber', { number: 1024 }),
  ];
};

test('numbers in texts are grouped as the language writes them, and a cabinet’s own is left as it stands on it', async () => {
  expect(await say('en')).toEqual(['1,500 left', '25 of 100,000', 'Cabinet 1024']);
  expect(await say('nb')).toEqual(['1\u00A0500 igjen', '25 av 100\u00A0000', 'Skap 1024']);
});
