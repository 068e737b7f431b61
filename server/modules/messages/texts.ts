import { gsm } from '@hatchway/domain/sms.ts';
import { oneLine, unlinked } from '@hatchway/domain/text.ts';
import { rendered, type TemplateChannel, type TemplateKind, type Values } from '@hatchway/domain/template.ts';
import { html } from '../../identity/html.ts';
import { LABELS, UNNAMED, wordsFor, type Labels, type Locale, type MessageKind, type Said, type Told } from './words.ts';

/** What is sent, complete; kept sealed, since it may hold a link and a code. */
export type Body = { channel: 'mail'; subject: string; text: string; html: string } | { channel: 'sms'; text: string };

/** The deadline by its name; none where it has passed and yet does not count. */
const deadlineOf = ({ until, passed }: Told, label: Labels): [string, string | null] =>
  passed === 'late' ? [label.late, until] : [label.until, passed === 'waiting' ? null : until];

const factsOf = (told: Told, locale: Locale): [string, string][] => {
  const label = LABELS[locale];
  const facts: [string, string | null][] = [
    [label.site, told.site],
    [label.cabinet, told.cabinet],
    [label.door, told.door],
    [label.code, told.code],
    [label.due, told.due ?? null],
    deadlineOf(told, label),
    [label.hours, told.until === null ? null : (told.hours ?? null)],
    [label.since, told.since ?? null],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
};

/** As it was typed: an empty line parts paragraphs, a line break stays one. */
const paragraphs = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map(
      (one) => html`<p style="margin:0 0 16px">${one.split('\n').flatMap((line, at) => (at === 0 ? [line] : [html`<br />`, line]))}</p>`,
    );

/** In the look of the product's pages; everything that somebody typed is escaped by the tag. */
const mailPage = (said: Said, told: Told, locale: Locale): string => {
  const label = LABELS[locale];
  const facts = factsOf(told, locale);
  const dim = 'font-size:14px;color:#4b5a58';
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${said.subject}</title>
      </head>
      <body style="margin:0;background:#f6f7f7">
        <div
          style="max-width:480px;margin:0 auto;padding:24px;font:16px/1.5 Inter,system-ui,-apple-system,'Segoe UI',sans-serif;color:#14201f"
        >
          <p style="margin:0 0 16px;font-weight:650;color:#0b6b64">${told.company}</p>
          <div style="background:#ffffff;border:1px solid #dbe1e0;border-radius:8px;padding:24px">
            ${told.name !== '' && html`<p style="margin:0 0 8px">${label.greeting(told.name)}</p>`} ${paragraphs(said.text)}
            ${
              facts.length > 0 &&
              html`<table role="presentation" style="border-collapse:collapse;margin:0 0 16px;font-variant-numeric:tabular-nums">
                ${facts.map(
                  ([name, value]) =>
                    html`<tr>
                      <td style="padding:4px 16px 4px 0;color:#4b5a58">${name}</td>
                      <td style="padding:4px 0;font-weight:600">${value}</td>
                    </tr> `,
                )}
              </table>`
            }
            ${
              said.button !== undefined &&
              told.link !== null &&
              html`<p style="margin:0 0 16px">
                  <a
                    href="${told.link}"
                    style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6b64;color:#ffffff;text-decoration:none;font-weight:600"
                    >${said.button}</a
                  >
                </p>
                <p style="margin:0 0 16px;${dim};word-break:break-all">${told.link}</p>`
            }
            ${said.after !== undefined && html`<p style="margin:0;${dim}">${said.after}</p>`}
          </div>
          <p style="margin:16px 0 0;${dim}">${label.by}</p>
        </div>
      </body>
    </html>`.text;
};

const mailText = (said: Said, told: Told, locale: Locale): string => {
  const facts = factsOf(told, locale).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    told.name === '' ? null : LABELS[locale].greeting(told.name),
    said.text,
    facts.length > 0 ? facts.join('\n') : null,
    said.button !== undefined && told.link !== null ? `${said.button}: ${told.link}` : null,
    said.after ?? null,
  ];
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
};

/** Signs of opening hours that an SMS still names. */
const SMS_HOURS = 60;
/** A phone shows a line, not a house rule: of a long week the day that counts. */
const shortHours = ({ hours = null, dayHours = null, passed }: Told): string | null => {
  if (hours !== null && hours.length <= SMS_HOURS && !hours.includes('\n')) return hours;
  return passed ? null : dayHours;
};

const smsText = (said: Said, told: Told, locale: Locale, alphabet: (text: string) => string = gsm): string => {
  const label = LABELS[locale];
  const link = said.button === undefined ? null : told.link;
  const code =
    told.code === null ? null : `${label.codeShort} ${told.code}${told.cabinet ? `, ${label.cabinetShort} ${told.cabinet}` : ''}.`;
  const [name, time] = deadlineOf(told, label);
  const until = time === null ? null : `${name} ${time}.`;
  const due = told.due == null ? null : alphabet(`${label.due} ${told.due}.`);
  const hours = until === null ? null : shortHours(told);
  const line = [alphabet(said.short), link, code, due, until === null ? null : alphabet(until)].filter((part) => part !== null).join(' ');
  // A line of its own: as a template, it goes where nobody said the hours.
  return hours === null ? line : `${line}\n${alphabet(`${label.hours} ${hours}.`)}`;
};

/** A company's own words for a kind, on one channel in one language; a mail's frame, facts and button stay around them. */
export type Wording = { subject: string | null; text: string };

/** News that only we word. */
const OURS = [
  'webhook-off',
  'alerts-off',
  'staff-cabinet-back',
  'staff-two-controllers',
  'payment-not-taken',
  'purchase',
  'receipt',
  'capture-ends',
] as const;
type Ours = (typeof OURS)[number];
const isOurs = (kind: MessageKind): kind is Ours => (OURS as readonly MessageKind[]).includes(kind);

/** The kind under which a company may word it itself; null: it may not. Bringing something back, and what was borrowed, want sentences of their own. */
export const templateKindOf = (kind: MessageKind, type: string | null): TemplateKind | null => {
  if (isOurs(kind)) return null;
  if (kind === 'request' && type === 'recall') return 'recall';
  return kind === 'reminder' && type === 'lending' ? 'reminder-loan' : kind;
};
const BACK: Partial<Record<TemplateKind, { kind: MessageKind; type: string }>> = {
  recall: { kind: 'request', type: 'recall' },
  'reminder-loan': { kind: 'reminder', type: 'lending' },
};
const isOwnKind = (kind: TemplateKind): kind is TemplateKind & MessageKind => kind !== 'recall' && kind !== 'reminder-loan';
/** The message and the type of use that a template kind words. */
export const messageKindOf = (kind: TemplateKind): { kind: MessageKind; type: string | null } =>
  isOwnKind(kind) ? { kind, type: null } : (BACK[kind] ?? { kind: 'request', type: null });

const valuesOf = ({ company, name, site, cabinet, door, link, code, until, hours, thing }: Told, locale: Locale): Values => ({
  company,
  name,
  site,
  cabinet,
  door,
  link,
  code,
  until,
  hours: hours ?? null,
  thing: thing ?? UNNAMED[locale],
});

/** In the small alphabet where the company's own words are: a receiver's name must not make each part dearer. */
const ownSms = (text: string, told: Told, locale: Locale): string => {
  const plain = gsm(text) === text;
  const hours = shortHours(told) ?? (told.hours == null ? null : oneLine(told.hours));
  const values = { ...valuesOf(told, locale), hours };
  const { link, ...rest } = values;
  const folded = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value === null || !plain ? value : gsm(value)]));
  return rendered(text, { ...values, ...folded, link });
};

/** Blanks are seen and joiners are not, but one joiner makes an SMS go as Unicode. */
const GAP = { mail: '\u2060', sms: ' ' } as const;
const unlinkedIn = (told: Told, channel: TemplateChannel): Told => {
  const plain = <T extends string | null | undefined>(name: T): T =>
    (typeof name === 'string' ? unlinked(oneLine(name), GAP[channel]) : name) as T;
  const { company, name, site, cabinet, door, thing } = told;
  return {
    ...told,
    company: plain(company),
    name: plain(name),
    site: plain(site),
    cabinet: plain(cabinet),
    door: plain(door),
    ...(thing === undefined ? {} : { thing: plain(thing) }),
  };
};

export const bodyOf = (channel: TemplateChannel, kind: MessageKind, named: Told, locale: Locale, own: Wording | null = null): Body => {
  const told = unlinkedIn(named, channel);
  const ours = wordsFor(locale, kind, told);
  if (channel === 'sms') return { channel, text: own ? ownSms(own.text, told, locale) : smsText(ours, told, locale) };
  const values = valuesOf(told, locale);
  const oneLine = (subject: string) => rendered(subject, values).replaceAll(/\s+/g, ' ');
  const said: Said = own ? { ...ours, text: rendered(own.text, values), subject: oneLine(own.subject ?? ours.subject) } : ours;
  return { channel, subject: said.subject, text: mailText(said, told, locale), html: mailPage(said, told, locale) };
};

const NAMED: Told = {
  company: '{company}',
  name: '{name}',
  site: '{site}',
  cabinet: '{cabinet}',
  door: '{door}',
  link: '{link}',
  code: '{code}',
  until: '{until}',
  hours: '{hours}',
  thing: '{thing}',
  type: null,
};
/** Our own words as a template: what somebody begins with who words it themselves. `held`: what the kind can tell. */
export const ourWording = (channel: TemplateChannel, kind: TemplateKind, locale: Locale, held: readonly string[]): Wording => {
  const message = messageKindOf(kind);
  const told: Told = { ...NAMED, type: message.type };
  for (const name of ['site', 'cabinet', 'door', 'link', 'code', 'until', 'hours'] as const) if (!held.includes(name)) told[name] = null;
  const said = wordsFor(locale, message.kind, told);
  return channel === 'sms' ? { subject: null, text: smsText(said, told, locale, String) } : { subject: said.subject, text: said.text };
};
