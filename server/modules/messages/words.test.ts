import { expect, it } from 'vitest';
import { NOTHING, wordsFor } from './words.ts';

it('who is asked to bring something back is told what, where it has a name', () => {
  const told = { ...NOTHING, company: 'Nordlys', name: 'Kari', type: 'recall' };
  expect(wordsFor('en', 'request', { ...told, thing: 'Tablet 7' }).short).toBe('Nordlys asks you to bring back Tablet 7.');
  expect(wordsFor('nb', 'request', { ...told, thing: 'Nettbrett 7' }).text).toContain('levere tilbake Nettbrett 7.');
  expect(wordsFor('en', 'request', told).short).toBe('Nordlys asks you to bring back what you have.');
});

it.each(['en', 'nb'] as const)(
  'nothing says of what somebody stores that it comes from the company, or was put there for them (%s)',
  (locale) => {
    const told = { ...NOTHING, company: 'Nordlys', name: 'Kari', door: 'A20', site: 'Oslo S' };
    for (const kind of ['ready', 'reminder'] as const) {
      const [parcel, stored] = ['delivery', 'storage'].map((type) => wordsFor(locale, kind, { ...told, type }));
      expect(stored?.text).not.toBe(parcel?.text);
      expect(stored?.text).not.toMatch(/put something|lagt noe|Something from|Noe fra/);
      expect(stored?.short).not.toMatch(/waiting for you|venter/);
      expect(stored?.short).toContain('A20');
    }
  },
);

it.each(['en', 'nb'] as const)('what was moved is told to lie elsewhere now, not to have come (%s)', (locale) => {
  const told = { ...NOTHING, company: 'Nordlys', name: 'Kari', door: 'A20', site: 'Oslo S', moved: true };
  for (const type of ['delivery', 'storage']) {
    const said = wordsFor(locale, 'ready', { ...told, type });
    expect(said.short).toMatch(/moved to locker A20|flyttet til luke A20/);
    expect(said.text).toMatch(/has moved|har flyttet/);
  }
});
