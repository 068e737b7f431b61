import { html } from './html.ts';
import type { Mail, Text } from './options.ts';
import { pickLocale, speaker, type Word } from './words.ts';

/** A mail of the family: a sentence, one button, a word of caution. In the person's own language. */
function mail(to: string, locale: string, words: { subject: Word; text: Word; link: string; button: Word; after?: Word }): Mail {
  const say = speaker(pickLocale([locale]));
  const after = words.after ? say(words.after) : '';
  const page = html`<div style="max-width:480px;margin:0 auto;padding:24px;font:16px/1.5 Inter,system-ui,sans-serif;color:#14201f">
    <p style="font-weight:650;color:#0b6b64">Hatchway</p>
    <p>${say(words.text)}</p>
    <p>
      <a
        href="${words.link}"
        style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6b64;color:#ffffff;text-decoration:none;font-weight:600"
        >${say(words.button)}</a
      >
    </p>
    <p style="font-size:14px;color:#4b5a58;word-break:break-all">${words.link}</p>
    ${after && html`<p style="font-size:14px;color:#4b5a58">${after}</p>`}
  </div>`;
  const text = [say(words.text), words.link, after].filter(Boolean).join('\n\n');
  return { to, subject: say(words.subject), text: `${text}\n`, html: page.text };
}

export const resetMail = (to: string, locale: string, link: string) =>
  mail(to, locale, { subject: 'mailResetSubject', text: 'mailReset', link, button: 'setTitle', after: 'mailResetIgnore' });

export const changedMail = (to: string, locale: string, link: string) =>
  mail(to, locale, { subject: 'mailChangedSubject', text: 'mailChanged', link, button: 'setTitle' });

/** The same two in one SMS, for whoever has a number alone. */
const text = (to: string, locale: string, word: Word, link: string): Text => ({
  to,
  text: `${speaker(pickLocale([locale]))(word)} ${link}`,
});

export const resetText = (to: string, locale: string, link: string) => text(to, locale, 'mailReset', link);

export const changedText = (to: string, locale: string, link: string) => text(to, locale, 'mailChanged', link);
