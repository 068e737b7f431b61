import { z } from 'zod';
import { assets } from './assets.ts';
import { history } from './history.ts';
import type { listQuery } from './list.ts';
import { occupations } from './occupations.ts';
import { payments } from './payments.ts';
import { companies } from './people.ts';
import { route, type RouteSpec } from './route.ts';

type ListRoute<R extends RouteSpec, P extends string> = Extract<R, { method: 'GET'; path: P }>;

/** A list's call: its file is asked for in the very same words. */
const listOf = <R extends RouteSpec, const P extends R['path']>(routes: readonly R[], path: P): ListRoute<R, P> => {
  const found = routes.find((one): one is ListRoute<R, P> => one.method === 'GET' && one.path === path);
  if (!found) throw new Error(`no list is ${path}`);
  return found;
};

/** Filter and order of the list, without its pages; and how the file is to be written. */
const fileOf = (list: ReturnType<typeof listQuery>) =>
  list.omit({ limit: true, cursor: true, count: true }).extend({
    locale: z.enum(['en', 'nb']).optional().describe('Of the head and of words in the cells; the person’s own where nothing is said'),
    separator: z.enum([',', ';']).optional().describe('What a spreadsheet of that language splits at: , in English, ; in Norwegian'),
  });
export type FileQuery = z.output<ReturnType<typeof fileOf>>;

const FILE = { binary: 'text/csv' } as const;

export const exports = [
  route({
    method: 'GET',
    path: '/exports/assets',
    access: 'portal',
    summary: 'The assets as a CSV file',
    query: fileOf(listOf(assets, '/assets').query),
    response: FILE,
  }),
  route({
    method: 'GET',
    path: '/exports/occupations',
    access: 'portal',
    summary: 'The occupations that the caller may see, as a CSV file',
    query: fileOf(listOf(occupations, '/occupations').query),
    response: FILE,
  }),
  route({
    method: 'GET',
    path: '/exports/payments',
    access: 'payments.read',
    summary: 'The payments as a CSV file',
    query: fileOf(listOf(payments, '/payments').query),
    response: FILE,
  }),
  route({
    method: 'GET',
    path: '/exports/history',
    access: 'portal',
    summary: 'What happened, as far as the caller may see, as a CSV file',
    query: fileOf(listOf(history, '/history').query),
    response: FILE,
  }),
  route({
    method: 'GET',
    path: '/exports/members',
    access: 'admin:memberships',
    summary: 'The members as a CSV file',
    query: fileOf(listOf(companies, '/companies/{tenant}/memberships').query),
    response: FILE,
  }),
] as const;
