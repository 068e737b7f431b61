import type { Asset } from '@hatchway/contract/assets.ts';
import type { HistoryEvent } from '@hatchway/contract/history.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Occupation } from '@hatchway/contract/occupations.ts';
import type { Payment } from '@hatchway/contract/payments.ts';
import type { CallResult } from '@hatchway/contract/client.ts';
import type { Tx } from '../../db/database.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import type { Held } from '../../http/list.ts';
import { listAssets } from '../assets/queries.ts';
import { listMemberships } from '../companies/membership-queries.ts';
import { eventWord, listHistory, wordFor } from '../history/queries.ts';
import { listOccupations } from '../occupations/queries.ts';
import { listPayments } from '../payments/queries.ts';
import { identifiersCell, namesCell, type Cell } from '@hatchway/contract/csv.ts';
import {
  ASSET_WORDS,
  CODE_WORDS,
  HISTORY_WORDS,
  MEMBER_WORDS,
  MOMENTS,
  OCCUPATION_WORDS,
  PAYMENT_WORDS,
  YES_NO,
} from '@hatchway/contract/sheet-words.ts';

export type Locale = 'en' | 'nb';
/** How one file is written: words, times in the company's zone, and sums as a spreadsheet of that language reads them. */
type Manner = { locale: Locale; time: (iso: string | null | undefined) => string; money: (minor: number, currency: string) => string };
export type Page = { rows: Cell[][]; next: string | null; ids: readonly string[] };

/** One kind of file: its name and head in both languages, and its rows page by page, each with what the caller may see then. */
export type Sheet = {
  name: Readonly<Record<Locale, string>>;
  head: (locale: Locale, timeZone: string) => readonly string[];
  page: (tx: Tx, caller: Caller, query: ListQuery & Held, now: string, manner: Manner) => Promise<Page>;
};

const sheet = <Row, Word extends string>(
  name: Sheet['name'],
  words: Readonly<Record<Locale, Readonly<Record<Word, string>>>>,
  page: (
    tx: Tx,
    caller: Caller,
    query: ListQuery,
    now: string,
  ) => Promise<{ rows: Row[]; next: string | null; ids?: string[]; named?: Named }>,
  cells: (row: Row, manner: Manner, named: Named) => Readonly<Record<Word, Cell>>,
): Sheet => {
  // The words' order is the columns'.
  const columns = Object.keys(words.en) as Word[];
  return {
    name,
    head: (locale, timeZone) =>
      columns.map((column) => (MOMENTS.has(column) ? `${words[locale][column]} (${timeZone})` : words[locale][column])),
    page: async (tx, caller, query, now, manner) => {
      const found = await page(tx, caller, query, now);
      const rows = found.rows.map((row) => {
        const said = cells(row, manner, found.named ?? NONE);
        return columns.map((column) => said[column]);
      });
      return { rows, next: found.next, ids: found.ids ?? [] };
    },
  };
};

/** Names of what rows point at. */
type Named = { labels: ReadonlyMap<string, string>; groups: ReadonlyMap<string, string> };
const NONE: Named = { labels: new Map(), groups: new Map() };
const yes = (value: boolean, { locale }: Manner): string => YES_NO[locale][value ? 0 : 1];
const objectText = (value: Readonly<Record<string, unknown>>): string => (Object.keys(value).length === 0 ? '' : JSON.stringify(value));

const namesOf = async (tx: Tx, tenantId: string, table: 'status_labels' | 'asset_groups'): Promise<Map<string, string>> => {
  const rows = await tx.selectFrom(table).select(['id', 'name']).where('tenant_id', '=', tenantId).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export const SHEETS = {
  assets: sheet<Asset, keyof typeof ASSET_WORDS.en>(
    { en: 'Assets', nb: 'Gjenstander' },
    ASSET_WORDS,
    async (tx, { tenantId, facts }, query) => ({
      ...(await listAssets(tx, tenantId, facts, query)),
      named: { labels: await namesOf(tx, tenantId, 'status_labels'), groups: await namesOf(tx, tenantId, 'asset_groups') },
    }),
    (row, manner, { labels, groups }) => ({
      id: row._id,
      name: row.name,
      externalId: row.externalId,
      identifiers: identifiersCell(row.identifiers),
      statusLabel: row.statusLabelId === null ? null : (labels.get(row.statusLabelId) ?? null),
      assetGroups: namesCell(row.assetGroupIds.map((id) => groups.get(id) ?? id)),
      data: objectText(row.data),
      source: CODE_WORDS[manner.locale][row.source],
      holder: row.holder?.name ?? null,
      dueAt: manner.time(row.dueAt),
      hasImage: yes(row.hasImage, manner),
      createdAt: manner.time(row.createdAt),
      updatedAt: manner.time(row.updatedAt),
    }),
  ),
  occupations: sheet<Occupation, keyof typeof OCCUPATION_WORDS.en>(
    { en: 'Occupations', nb: 'Bruk av luker' },
    OCCUPATION_WORDS,
    (tx, caller, query, now) => listOccupations(tx, { scope: scopeOf(caller, now), facts: caller.facts }, query),
    (row, manner) => ({
      id: row.id,
      doorTag: row.doorTag,
      stage: wordFor('stages', row.stage, manner.locale),
      overdue: yes(row.overdue, manner),
      type: wordFor('services', row.service, manner.locale),
      content: row.assetText ?? row.assetName,
      orderRef: row.orderRef,
      externalRef: row.externalRef,
      receiver: row.receiver?.name ?? null,
      tlf: row.receiver?.tlf ?? null,
      email: row.receiver?.email ?? null,
      quantity: row.quantity,
      amount: row.price === null ? null : manner.money(row.price.amount, row.price.currency),
      currency: row.price?.currency ?? null,
      reservedUntil: manner.time(row.reservedUntil),
      pickupBy: manner.time(row.pickupBy),
      dueAt: manner.time(row.dueAt),
      note: row.note,
      createdBy: row.createdBy.name,
      createdAt: manner.time(row.createdAt),
      updatedAt: manner.time(row.updatedAt),
    }),
  ),
  payments: sheet<Payment, keyof typeof PAYMENT_WORDS.en>(
    { en: 'Payments', nb: 'Betalinger' },
    PAYMENT_WORDS,
    (tx, { tenantId }, query) => listPayments(tx, tenantId, query),
    (row, manner) => ({
      id: row._id,
      createdAt: manner.time(row.createdAt),
      state: wordFor('payments', row.state, manner.locale),
      provider: CODE_WORDS[manner.locale][row.provider],
      reference: row.reference,
      amount: manner.money(row.amount, row.currency),
      captured: manner.money(row.captured, row.currency),
      refunded: manner.money(row.refunded, row.currency),
      currency: row.currency,
      content: row.content,
      quantity: row.quantity,
      doorTag: row.doorTag,
      payer: row.payer.name,
      tlf: row.payer.tlf,
      email: row.payer.email,
      occupationId: row.occupationId,
      lastError: row.lastError,
      updatedAt: manner.time(row.updatedAt),
    }),
  ),
  history: sheet<HistoryEvent, keyof typeof HISTORY_WORDS.en>(
    { en: 'History', nb: 'Historikk' },
    HISTORY_WORDS,
    (tx, caller, query) => listHistory(tx, caller.tenantId, caller.facts, query),
    (row, manner) => ({
      at: manner.time(row.at),
      event: eventWord(row, manner.locale, manner.time),
      type: row.type,
      actor: row.actor.name,
      actorKind: CODE_WORDS[manner.locale][row.actor.kind],
      doorTag: row.doorTag,
      occupationId: row.occupationId,
      paymentId: row.paymentId,
      assetId: row.assetId,
      data: objectText(row.data),
    }),
  ),
  members: sheet<CallResult<'GET /companies/{tenant}/memberships'>[number], keyof typeof MEMBER_WORDS.en>(
    { en: 'Members', nb: 'Medlemmer' },
    MEMBER_WORDS,
    (tx, { tenantId }, query) => listMemberships(tx, tenantId, query),
    (row, manner) => ({
      name: row.name,
      email: row.email,
      tlf: row.tlf,
      roles: row.roles.map((role) => wordFor('roles', role, manner.locale)).join(' | '),
      lastSeenAt: manner.time(row.lastSeenAt),
      createdAt: manner.time(row.createdAt),
    }),
  ),
} satisfies Record<string, Sheet>;
