import { dayWords, hoursWords, isClosedDay, type OpenHours } from '@hatchway/domain/hours.ts';
import { sql } from 'kysely';
import { formatPrice, isPriced } from '@hatchway/domain/price.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { LABELS, NOTHING, type Locale, type MessageKind, type Told } from './words.ts';

/** Texts that hand over the key; all others are only news. */
const KEYS: ReadonlySet<MessageKind> = new Set(['ready', 'request', 'reminder']);

/** In the company's zone, which is said: whoever reads it may be in another one. */
export const moment = (iso: string, locale: Locale, timeZone: string): string =>
  new Intl.DateTimeFormat(locale === 'nb' ? 'nb-NO' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
    .format(new Date(iso))
    .replaceAll('\u202f', ' ');

/** Until when, as it is written in the company's zone, beside when the place is open. */
export const untilAt = (place: OpenHours & { openingHours: string }, until: string | null, locale: Locale, zone: string) => ({
  until: until && `${moment(until, locale, zone)}${isClosedDay(place, zone, until) ? ` (${LABELS[locale].closedThen})` : ''}`,
  hours: hoursWords(place, locale) || null,
  dayHours: until === null ? null : dayWords(place, zone, until, locale) || null,
});

/**
 * Where it lies is news to whoever was told of another locker before: it was taken out of that to be put into this one, and has lain in none
 * since. An owner knows where they stored it.
 */
const wasMoved = sql<boolean>`exists (select from events e where e.tenant_id = o.tenant_id and e.occupation_id = o.id
  and e.type = 'occupation_extract' and e.data->>'move' = 'true' and e.locker_id is distinct from o.locker_id
  and (o.type = 'storage' or exists (select from messages m where m.tenant_id = o.tenant_id and m.occupation_id = o.id
    and m.kind = 'ready' and m.created_at <= e.at))
  and (select count(*) from events i where i.tenant_id = o.tenant_id and i.occupation_id = o.id and i.id > e.id
    and i.type in ('occupation_filled', 'occupation_returned', 'occupation_extract')) <= 1)`.as('moved');

/** Somebody paid for it, or is being let in on it: nothing more is due. */
const isPaid = sql<boolean>`exists (select from payments p where p.tenant_id = o.tenant_id and p.occupation_id = o.id
  and p.state in ('reserved', 'captured'))`.as('paid');

/** What a message about an occupation tells, as it stands now: link and code are opened here and nowhere kept in the clear. */
export const toldOf = async (
  tx: Tx,
  deps: Deps,
  tenantId: string,
  message: { occupationId: string | null; kind: MessageKind; name: string; locale: Locale },
): Promise<Told> => {
  const company = await tx.selectFrom('companies').select(['name', 'time_zone']).where('id', '=', tenantId).executeTakeFirst();
  const base = { ...NOTHING, company: company?.name ?? '', name: message.name };
  if (message.occupationId === null) return base;
  const row = await tx
    .selectFrom('occupations as o')
    .leftJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
    .leftJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .leftJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .leftJoin('assets as a', (join) => join.onRef('a.tenant_id', '=', 'o.tenant_id').onRef('a.id', '=', 'o.asset_id'))
    .leftJoin('loans as n', (join) =>
      join.onRef('n.tenant_id', '=', 'o.tenant_id').onRef('n.occupation_id', '=', 'o.id').on('n.returned_at', 'is', null),
    )
    .where('o.tenant_id', '=', tenantId)
    .where('o.id', '=', message.occupationId)
    .select([
      'o.type',
      'o.receiver_name',
      'o.asset_text',
      'a.name as asset_name',
      'o.door_tag',
      'o.token_sealed',
      'o.code_sealed',
      'o.pickup_by',
      'o.reserved_until',
      'o.overdue',
      'c.number',
      's.name as site',
      's.opening_hours',
      's.hours',
      's.closed_days',
      'n.due_at',
      'o.price',
      isPaid,
      wasMoved,
    ])
    .executeTakeFirst();
  if (!row) return base;
  const thing = message.kind === 'request' ? (row.asset_text ?? row.asset_name) : null;
  const place = {
    ...base,
    // Corrected since it was asked for, they are greeted by their name.
    name: message.kind.startsWith('staff-') ? message.name : (row.receiver_name ?? message.name),
    thing,
    type: row.type,
    moved: row.moved,
    door: row.door_tag,
    site: row.site,
    cabinet: row.number === null ? null : String(row.number),
  };
  if (!KEYS.has(message.kind)) return place;
  const token = row.token_sealed && deps.seal.open(row.token_sealed);
  const until = row.due_at ?? (message.kind === 'request' ? row.reserved_until : row.pickup_by);
  const asked = message.kind === 'request' || row.paid || !isPriced(row.price);
  const open = { hours: row.hours ?? [], closedDays: row.closed_days ?? [], openingHours: row.opening_hours ?? '' };
  const zone = company?.time_zone ?? 'UTC';
  const passed = until !== null && until <= deps.now().toISOString();
  return {
    ...place,
    passed: passed ? (row.overdue ? 'late' : 'waiting') : null,
    link: token ? `${deps.config.publicUrl}/p/${token}` : null,
    code: row.code_sealed && deps.seal.open(row.code_sealed),
    due: asked || row.price === null ? null : formatPrice(row.price, message.locale === 'en' ? 'en-GB' : 'nb-NO'),
    ...untilAt(open, until, message.locale, zone),
  };
};
