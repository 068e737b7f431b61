import { Readable } from 'node:stream';
import type { FileQuery } from '@hatchway/contract/exports.ts';
import { bareAmount } from '@hatchway/domain/price.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import type { Held } from '../../http/list.ts';
import type { Again, FileAnswer } from '../../http/serve.ts';
import { BYTE_ORDER_MARK, lineOf, separatorOf } from '@hatchway/contract/csv.ts';
import type { Locale, Page, Sheet } from './sheets.ts';

/** Rows of one short transaction: between two of them nothing is held, neither a connection nor what was read. */
const ROWS = 1_000;

/** What a row is sorted by from its beginning to its end. By anything else it may change its place while the file is fetched. */
const LASTING = /^-?(?:createdAt|at)$/;

/** `2026-01-02 03:04:05`, which every spreadsheet takes for a time. */
const timesIn = (timeZone: string) => {
  const written = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (iso: string | null | undefined): string => (iso ? written.format(new Date(iso)) : '');
};

const settingsOf = async (tx: Tx, caller: Caller): Promise<{ locale: Locale; timeZone: string }> => {
  const company = await tx.selectFrom('companies').select(['time_zone', 'locale']).where('id', '=', caller.tenantId).executeTakeFirst();
  const account =
    caller.kind === 'person'
      ? await tx.selectFrom('accounts').select('locale').where('id', '=', caller.accountId).executeTakeFirst()
      : undefined;
  const locale = account?.locale ?? company?.locale;
  return { locale: locale === 'nb' ? 'nb' : 'en', timeZone: company?.time_zone ?? 'Europe/Oslo' };
};

type Asked = { deps: Deps; caller: Caller; query: FileQuery; again: Again };

/**
 * A list as a file. The first page is read before anything is answered, so a question that cannot be asked is refused in words. Each page
 * asks anew who the caller is: of somebody whose right is withdrawn meanwhile the file breaks off, and so does it where the database is
 * away; a file that ends properly is whole: each row of the list that there still is and that they may see is in it, once. Nothing is read faster than it is fetched.
 */
export const fileOf = async (sheet: Sheet, { deps, caller, query, again }: Asked): Promise<FileAnswer> => {
  const { locale: wanted, separator: given, ...list } = query;
  const settings = await deps.db.tenant(caller.tenantId, (tx) => settingsOf(tx, caller));
  const locale = wanted ?? settings.locale;
  const separator = given ?? separatorOf(locale);
  const manner = {
    locale,
    time: timesIn(settings.timeZone),
    money: (amount: number, currency: string) => bareAmount({ amount, currency }, locale),
  };
  const page = (at: Held & { cursor?: string }): Promise<Page> =>
    deps.db.tenant(caller.tenantId, async (tx) => {
      const now = deps.now().toISOString();
      return sheet.page(tx, await again(tx), { ...list, limit: ROWS, ...at }, now, manner);
    });
  // Where rows may change places, which ones there are and their order is settled first, or one that moves before what was read is lost.
  const { ids } = LASTING.test(list.sort) ? { ids: null } : await page({ ids: 'wanted' });
  const first = await page(ids ? { ids: ids.slice(0, ROWS) } : {});
  const rest = async function* (): AsyncGenerator<Page> {
    if (ids) for (let at = ROWS; at < ids.length; at += ROWS) yield await page({ ids: ids.slice(at, at + ROWS) });
    else
      for (let { next } = first; next !== null;) {
        const more = await page({ cursor: next });
        yield more;
        ({ next } = more);
      }
  };
  const written = (rows: Page['rows']): string => rows.map((row) => lineOf(row, separator)).join('');
  const text = async function* (): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + lineOf(sheet.head(locale, settings.timeZone), separator) + written(first.rows);
    for await (const more of rest()) yield written(more.rows);
  };
  // One page in hand at most.
  return {
    stream: Readable.from(text(), { objectMode: true, highWaterMark: 1 }),
    name: `${sheet.name[locale]} ${manner.time(deps.now().toISOString()).slice(0, 10)}.csv`,
  };
};
