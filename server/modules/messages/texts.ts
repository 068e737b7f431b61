import { html } from '../../identity/html.ts';
import { LABELS, wordsFor, type Locale, type MessageKind, type Told } from './words.ts';

/** What is sent, complete; kept sealed, since it may hold a link and a code. */
export type Body = { channel: 'mail'; subject: string; text: string; html: string } | { channel: 'sms'; text: string };

const factsOf = (told: Told, locale: Locale): [string, string][] => {
  const label = LABELS[locale];
  const facts: [string, string | null][] = [
    [label.site, told.site],
    [label.cabinet, told.cabinet],
    [label.door, told.door],
    [label.code, told.code],
    [label.until, told.until],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
};

/** In the look of the product's pages; everything that somebody typed is escaped by the tag. */
const mailPage = (kind: MessageKind, told: Told, locale: Locale): string => {
  const said = wordsFor(locale, kind, told);
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
            ${told.name !== '' && html`<p style="margin:0 0 8px">${label.greeting(told.name)}</p>`}
            <p style="margin:0 0 16px">${said.text}</p>
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

const mailText = (kind: MessageKind, told: Told, locale: Locale): string => {
  const said = wordsFor(locale, kind, told);
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

const TYPOGRAPHY: Record<string, string> = {
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '…': '...',
  '\u00a0': ' ',
};
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/;
/** In the phones' small alphabet: one letter outside it would halve what fits into a part. What it lacks loses its accent. */
export const gsm = (text: string): string =>
  Array.from(text, (character) => {
    const plain = TYPOGRAPHY[character] ?? character;
    if (plain.length > 1 || GSM.test(plain)) return plain;
    const [bare = ''] = plain.normalize('NFD');
    return GSM.test(bare) ? bare : '?';
  }).join('');

const smsText = (kind: MessageKind, told: Told, locale: Locale): string => {
  const label = LABELS[locale];
  const said = wordsFor(locale, kind, told);
  const link = said.button === undefined ? null : told.link;
  const code =
    told.code === null ? null : `${label.codeShort} ${told.code}${told.cabinet ? `, ${label.cabinetShort} ${told.cabinet}` : ''}.`;
  const until = told.until === null ? null : `${label.until} ${told.until}.`;
  return [gsm(said.short), link, code, until === null ? null : gsm(until)].filter((part) => part !== null).join(' ');
};

export const bodyOf = (channel: 'sms' | 'mail', kind: MessageKind, told: Told, locale: Locale): Body =>
  channel === 'sms'
    ? { channel, text: smsText(kind, told, locale) }
    : { channel, subject: wordsFor(locale, kind, told).subject, text: mailText(kind, told, locale), html: mailPage(kind, told, locale) };
