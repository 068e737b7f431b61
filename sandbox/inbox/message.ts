import PostalMime from 'postal-mime';

/** What the inbox keeps of one SMS or e-mail, just as its receiver would get it. */
export type Message = {
  id: string;
  channel: 'sms' | 'mail';
  at: string;
  from: string;
  to: string[];
  subject: string | null;
  text: string;
  html: string | null;
  links: string[];
  /** The sender's own reference (SMS) or the Message-ID (mail): what tells a doubled send from two messages. */
  ref: string | null;
  messageId: string | null;
  /** How many SMS a phone company would bill. */
  segments: number | null;
  state: 'delivered' | 'failed';
};

export type NewMessage = Omit<Message, 'id' | 'at'>;

const LINK = /https?:\/\/[^\s<>"']+/g;

/** Web addresses in a text, in order, once each; the full stop that ends a sentence is not part of one. */
export function linksIn(text: string): string[] {
  const found = [...text.matchAll(LINK)].map((match) => match[0].replace(/[.,;:!?)\]]+$/, ''));
  return [...new Set(found)];
}

const GSM = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM_TWICE = new Set('\f^{}\\[~]|€');

/**
 * Parts that a text takes: 160 characters of the GSM alphabet (153 each when joined), 70 (67) when one character lies outside it. What
 * takes two places is not cut in two.
 */
export function segmentsOf(text: string): number {
  const all = Array.from(text);
  const isGsm = all.every((character) => GSM.has(character) || GSM_TWICE.has(character));
  const places = all.map((character) => (isGsm ? (GSM.has(character) ? 1 : 2) : character.length));
  const [alone, each] = isGsm ? [160, 153] : [70, 67];
  if (places.reduce((sum, one) => sum + one, 0) <= alone) return 1;
  let parts = 1;
  let left = each;
  for (const one of places) {
    if (one > left) {
      parts += 1;
      left = each;
    }
    left -= one;
  }
  return parts;
}

/** Reads a raw mail. `envelope` decides the receivers: that is who gets it, whatever its headers say. */
export async function parseMail(raw: Buffer, envelope: { from: string; to: string[] }): Promise<NewMessage> {
  const mail = await PostalMime.parse(raw);
  const text = (mail.text ?? '').trim();
  const html = mail.html ?? null;
  const sender = mail.from?.address ? (mail.from.name ? `${mail.from.name} <${mail.from.address}>` : mail.from.address) : envelope.from;
  const hrefs = [...(html ?? '').matchAll(/href="(https?:[^"]+)"/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&'));
  return {
    channel: 'mail',
    from: sender,
    to: envelope.to,
    subject: mail.subject ?? null,
    text,
    html,
    links: [...new Set([...linksIn(text), ...hrefs])],
    ref: mail.messageId ?? null,
    messageId: mail.messageId ?? null,
    segments: null,
    state: 'delivered',
  };
}
