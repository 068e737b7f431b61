import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** The addresses of the specification's section 2, below /portal, and that of SCIM beside the directory's. */
const SPECIFIED = [
  '/', '/dash', '/manage', '/manage/assets', '/manage/assets/$id', '/manage/occupations', '/manage/links', '/manage/payments', '/manage/lockers',
  '/services/delivery', '/services/storage', '/services/lending', '/services/consumable', '/services/sale', '/services/recall', '/services/drop-off',
  '/services/selfservice', '/services/lock-control', '/services/storefront', '/services/manageoccupation',
  '/iam/users', '/iam/groups', '/iam/assetgroups', '/admin', '/admin/api', '/admin/permissions', '/integration/vipps', '/integration/entraid', '/integration/scim',
  '/history', '/history/occupation/$id', '/token', '/profile', '/settings', '/forbidden', '/404',
]; // prettier-ignore

describe('routes', () => {
  const tree = readFileSync(new URL('./route-tree.gen.ts', import.meta.url), 'utf8');
  const made = new Set(
    [...tree.matchAll(/fullPath: '([^']+)'/g)].map(([, path = '']) => (path.length > 1 ? path.replace(/\/$/, '') : path)),
  );

  test('every address of the specification has a screen', () => {
    expect(SPECIFIED.filter((path) => !made.has(path))).toEqual([]);
  });
  // shows R2.33, R8.12
  test('no other address has one, save the one that sends all else to /404', () => {
    expect([...made].filter((path) => !SPECIFIED.includes(path))).toEqual(['/$']);
  });
});
