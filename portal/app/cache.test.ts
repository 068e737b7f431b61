import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { createCacheRule, patched, without } from './cache.ts';

const row = (id: string, version: number, more: object = {}) => ({ id, version, ...more });

describe('rows in cached answers', () => {
  test('a newer row replaces the one shown, in a row, a list, a page and in pages', () => {
    const newer = row('a', 2, { door: 'opened' });
    expect(patched(row('a', 1), newer)).toEqual(newer);
    expect(patched([row('b', 1), row('a', 1)], newer)).toEqual([row('b', 1), newer]);
    expect(patched({ rows: [row('a', 1)], next: null }, newer)).toEqual({ rows: [newer], next: null });
    expect(patched({ pages: [{ rows: [row('a', 1)] }], pageParams: [null] }, newer)).toEqual({
      pages: [{ rows: [newer] }],
      pageParams: [null],
    });
  });
  test('an older or doubled event changes nothing, not even identity', () => {
    const shown = [row('a', 3)];
    expect(patched(shown, row('a', 3))).toBe(shown);
    expect(patched(shown, row('a', 2))).toBe(shown);
    const pages = { pages: [{ rows: shown }] };
    expect(patched(pages, row('a', 2))).toBe(pages);
  });
  test('fields that the event lacks are kept', () => {
    expect(patched(row('a', 1, { name: 'x' }), row('a', 2))).toEqual(row('a', 2, { name: 'x' }));
  });
  test('a row that went is taken out', () => {
    expect(without([row('a', 1), row('b', 1)], 'a')).toEqual([row('b', 1)]);
    const same = [row('b', 1)];
    expect(without(same, 'a')).toBe(same);
  });
});

describe('the rule', () => {
  const setup = () => {
    const client = new QueryClient();
    const asked = vi.spyOn(client, 'invalidateQueries');
    const rule = createCacheRule(client, 1);
    const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
    return { client, asked, rule, isStale };
  };
  const settle = () => new Promise((later) => setTimeout(later, 10));

  test('a changed row is shown at once and costs no request where no filter stands', async () => {
    const { client, rule, asked } = setup();
    client.setQueryData(['lockers', 'list', {}], [row('a', 1)]);
    client.setQueryData(['lockers', 'a'], row('a', 1));
    rule.applyChange({ noun: 'lockers', method: 'PUT', data: row('a', 2) });
    expect(client.getQueryData(['lockers', 'list', {}])).toEqual([row('a', 2)]);
    expect(client.getQueryData(['lockers', 'a'])).toEqual(row('a', 2));
    await settle();
    expect(asked).not.toHaveBeenCalled();
  });
  test('a row that says something else under the same version is asked again where it stands alone, one that says the same is not', async () => {
    const { client, rule, isStale } = setup();
    const key = ['occupations', 'a'];
    client.setQueryData(key, row('a', 1, { updatedAt: '1', inDoubt: true, actions: [] }));
    const say = (inDoubt: boolean) =>
      rule.applyChange({ noun: 'occupations', method: 'PUT', data: row('a', 1, { updatedAt: '1', inDoubt, actions: [] }) });
    say(true);
    await settle();
    expect(isStale(key)).toBe(false);
    say(false);
    await settle();
    expect(isStale(key)).toBe(true);
  });
  test('what was heard while an answer was on its way is not undone by it, and what that has newer stays', async () => {
    const { client, rule } = setup();
    const key = ['lockers', 'list', {}];
    client.setQueryData(key, [row('a', 1), row('b', 1), row('c', 1)]);
    const answer = Promise.withResolvers<unknown>();
    const fetched = client.fetchQuery({ queryKey: key, queryFn: () => answer.promise });
    rule.applyChange({ noun: 'lockers', method: 'PUT', data: row('a', 2) });
    rule.applyChange({ noun: 'lockers', method: 'PUT', data: row('b', 2) });
    rule.applyChange({ noun: 'lockers', method: 'DELETE', data: { id: 'c' } });
    answer.resolve([row('a', 1), row('b', 3), row('c', 1)]);
    await fetched;
    expect(client.getQueryData(key)).toEqual([row('a', 2), row('b', 3)]);
    // and what is asked for after it is taken as it comes
    await client.fetchQuery({ queryKey: key, queryFn: async () => [row('c', 4)] });
    expect(client.getQueryData(key)).toEqual([row('c', 4)]);
  });
  test('lists that a filter narrows are asked again, once for a burst', async () => {
    const { client, rule, isStale, asked } = setup();
    const key = ['lockers', 'list', { q: { door: 'opened' } }];
    client.setQueryData(key, []);
    for (const version of [2, 3, 4]) rule.applyChange({ noun: 'lockers', method: 'PUT', data: row('a', version) });
    await settle();
    expect(isStale(key)).toBe(true);
    expect(asked).toHaveBeenCalledTimes(1);
  });
  test('a new row that is heard before the first answer is here makes that list ask once more', async () => {
    const { client, rule } = setup();
    const first = Promise.withResolvers<unknown>();
    let asks = 0;
    const observer = new QueryObserver(client, {
      queryKey: ['lockers', 'list'],
      queryFn: () => (++asks === 1 ? first.promise : Promise.resolve([row('a', 1)])),
    });
    const end = observer.subscribe(() => undefined);
    rule.applyChange({ noun: 'lockers', method: 'POST', data: row('a', 1) });
    await settle();
    expect(asks).toBe(1);
    first.resolve([]);
    await expect.poll(() => observer.getCurrentResult().data).toEqual([row('a', 1)]);
    end();
  });
  test('a new row makes every list of its noun ask again, and no other noun', async () => {
    const { client, rule, isStale } = setup();
    client.setQueryData(['lockers', 'list'], []);
    client.setQueryData(['assets', 'list'], []);
    rule.applyChange({ noun: 'lockers', method: 'POST', data: row('a', 1) });
    await settle();
    expect([isStale(['lockers', 'list']), isStale(['assets', 'list'])]).toEqual([true, false]);
  });
  test('a list scrolled far is patched, never fetched again page by page', async () => {
    const { client, rule, isStale } = setup();
    const key = ['lockers', 'pages', { q: { door: 'opened' } }];
    const pages = Array.from({ length: 9 }, (_, page) => ({ rows: [row(`r${page}`, 1)], next: null }));
    client.setQueryData(key, { pages, pageParams: [] });
    rule.applyChange({ noun: 'lockers', method: 'PUT', data: row('r8', 2) });
    await settle();
    expect(isStale(key)).toBe(false);
    expect(client.getQueryData<{ pages: typeof pages }>(key)?.pages[8]?.rows).toEqual([row('r8', 2)]);
  });
  test('a row that is gone is counted no more: its lists are asked again', async () => {
    const { client, rule, isStale } = setup();
    client.setQueryData(['lockers', 'list'], [row('a', 1), row('b', 1)]);
    client.setQueryData(['assets', 'list'], []);
    rule.applyChange({ noun: 'lockers', method: 'DELETE', data: { id: 'a' } });
    await settle();
    expect([isStale(['lockers', 'list']), isStale(['assets', 'list'])]).toEqual([true, false]);
  });
  test('figures reckoned from a noun follow it', async () => {
    const { client, rule, isStale } = setup();
    client.setQueryData(['stats', 'now'], {});
    rule.applyChange({ noun: 'occupations', method: 'PUT', data: row('a', 1) });
    await settle();
    expect(isStale(['stats', 'now'])).toBe(true);
  });
  test('an asset that changes asks nobody for the labels again, but who shows how many carry them', async () => {
    const { client, rule, isStale } = setup();
    const keys = [['statuslabels', 'list'], ['label-carriers', 'list']]; // prettier-ignore
    for (const key of keys) client.setQueryData(key, []);
    rule.applyChange({ noun: 'assets', method: 'PUT', data: row('a', 1) });
    await settle();
    expect(keys.map(isStale)).toEqual([false, true]);
  });
  test('a row that left the sight is gone from lists', () => {
    const { client, rule } = setup();
    client.setQueryData(['lockers', 'list'], [row('a', 1), row('b', 1)]);
    rule.applyChange({ noun: 'lockers', method: 'DELETE', data: { id: 'a' } });
    expect(client.getQueryData(['lockers', 'list'])).toEqual([row('b', 1)]);
  });
});
