import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screens } from './screens.ts';

/** The portal's routes as the router made them; all that has no screen of its own leads to /404. */
const routes = (): string[] => {
  const tree = readFileSync(new URL('../portal/app/route-tree.gen.ts', import.meta.url), 'utf8');
  const made = [...tree.matchAll(/fullPath: '([^']+)'/g)].map(([, path = '']) => (path === '/' ? path : path.replace(/\/$/, '')));
  return [...new Set(made)].filter((path) => path !== '/$');
};

/** Where a screen's address leads: `{asset}` stands for any row, and what follows the question mark is the same route. */
const routeOf = (path: string): string => path.replace(/\?.*$/, '').replace(/\{\w+\}/g, '$id');

test('every route of the portal is looked at, by axe and in the gallery', () => {
  const looked = new Set(screens.map(({ path }) => routeOf(path)));
  const all = routes();
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((path) => !looked.has(`/portal${path}`))).toEqual([]);
});

test('no two pictures have one name', () => {
  const names = screens.flatMap(({ name, looks = [] }) => [name, ...looks.map((look) => look.name)]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
