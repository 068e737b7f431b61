import type { z } from 'zod';
import type { preview, Template } from '@hatchway/contract/templates.ts';
import type { OpenSpan } from '@hatchway/domain/hours.ts';
import { smsSize } from '@hatchway/domain/sms.ts';
import { placeholdersOf, TEMPLATE_CHANNELS, TEMPLATE_KINDS, type TemplateChannel, type TemplateKind } from '@hatchway/domain/template.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { bodyOf, messageKindOf, ourWording, templateKindOf, type Body, type Wording } from './texts.ts';
import { untilAt } from './told.ts';
import type { Locale, MessageKind, Told } from './words.ts';

export type Key = { kind: TemplateKind; channel: TemplateChannel; locale: Locale };
const LOCALES: readonly Locale[] = ['en', 'nb'];

const rowsOf = (tx: Tx, tenantId: string) => tx.selectFrom('templates').selectAll().where('tenant_id', '=', tenantId);
const rowOf = (tx: Tx, tenantId: string, { kind, channel, locale }: Key) =>
  rowsOf(tx, tenantId)
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .where('locale', '=', locale)
    .where('own', '=', true)
    .executeTakeFirst();
type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>;

export const templateId = ({ kind, channel, locale }: Key): string => `${kind}-${channel}-${locale}`;

export const toTemplate = (key: Key, row: Row | undefined): Template => {
  const placeholders = [...placeholdersOf(key.kind)];
  const { kind, channel, locale } = key;
  const worded = row?.own ? row : ourWording(channel, kind, locale, placeholders);
  return {
    id: templateId(key),
    kind,
    channel,
    locale,
    subject: worded.subject,
    text: worded.text,
    placeholders,
    own: row?.own ?? false,
    version: row?.version ?? 0,
    updatedAt: row?.updated_at ?? null,
  };
};

export const listTemplates = async (tx: Tx, tenantId: string): Promise<Template[]> => {
  const rows = await rowsOf(tx, tenantId).execute();
  return TEMPLATE_KINDS.flatMap((kind) =>
    TEMPLATE_CHANNELS.flatMap((channel) =>
      LOCALES.map((locale) =>
        toTemplate(
          { kind, channel, locale },
          rows.find((row) => row.kind === kind && row.channel === channel && row.locale === locale),
        ),
      ),
    ),
  );
};

/** What is sent: in the company's own words where it has some, else in ours. */
export const writeBody = async (
  tx: Tx,
  tenantId: string,
  message: { channel: TemplateChannel; kind: MessageKind; locale: Locale },
  told: Told,
): Promise<Body> => {
  const kind = templateKindOf(message.kind, told.type);
  const own = kind === null ? undefined : await rowOf(tx, tenantId, { ...message, kind });
  return bodyOf(message.channel, message.kind, told, message.locale, own ?? null);
};

/** As long as the real ones are, so that an SMS is counted as it will be sent. */
const SAMPLE_TOKEN = 'Xk3vQ9ZtR2mB7pLw5NhY8cJf1GdSa4Ue6TiOo0Kq';
const SAMPLE_THING: Readonly<Record<Locale, string>> = { en: 'Cordless drill', nb: 'Batteridrill' };
const SAMPLE_HOURS: readonly OpenSpan[] = [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '16:00' }));
const HOUR = 3_600_000;
/** A full hour in three days, so that a preview is the same for a while. */
const sampleUntil = (now: Date): string => new Date((Math.floor(now.getTime() / HOUR) + 72) * HOUR).toISOString();

export const previewOf = async (
  tx: Tx,
  deps: Deps,
  tenantId: string,
  key: Key,
  wording: Wording | null,
): Promise<z.infer<typeof preview>> => {
  const company = await tx.selectFrom('companies').select(['name', 'time_zone']).where('id', '=', tenantId).executeTakeFirst();
  const site = await tx
    .selectFrom('sites')
    .select(['name', 'opening_hours', 'hours', 'closed_days'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  const held: readonly string[] = placeholdersOf(key.kind);
  const { kind, type } = messageKindOf(key.kind);
  const said = site !== undefined && (site.hours.length > 0 || site.opening_hours.trim() !== '');
  const open = {
    hours: said ? site.hours : SAMPLE_HOURS,
    closedDays: site?.closed_days ?? [],
    openingHours: site?.opening_hours ?? '',
  };
  const told: Told = {
    company: company?.name ?? '',
    name: held.includes('name') ? 'Kari Nordmann' : '',
    site: held.includes('site') ? (site?.name ?? 'Oslo S') : null,
    cabinet: held.includes('cabinet') ? '101' : null,
    door: held.includes('door') ? 'A07' : null,
    link: held.includes('link') ? `${deps.config.publicUrl}/p/${SAMPLE_TOKEN}` : null,
    code: held.includes('code') ? '482913' : null,
    ...(held.includes('until') ? untilAt(open, sampleUntil(deps.now()), key.locale, company?.time_zone ?? 'UTC') : { until: null }),
    thing: held.includes('thing') ? SAMPLE_THING[key.locale] : null,
    type,
  };
  const own = wording ?? (await rowOf(tx, tenantId, key)) ?? null;
  const body = bodyOf(key.channel, kind, told, key.locale, own);
  return body.channel === 'sms'
    ? { subject: null, text: body.text, html: null, sms: smsSize(body.text) }
    : { subject: body.subject, text: body.text, html: body.html, sms: null };
};
