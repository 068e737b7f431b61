import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Text } from '../identity/options.ts';
import type { Outside } from '../outside/fetch.ts';
import type { Sent } from './sent.ts';
import { readSmsAddress, type SmsAddress } from './sms-address.ts';
import { sendByHttp } from './sms-http.ts';
import { sendByLink } from './sms-link.ts';
import { sendBySveve } from './sms-sveve.ts';
import { sendByTwilio } from './sms-twilio.ts';

export type Wire = SmsAddress['wire'];
type Gateways = Pick<Config, 'smsUrl' | 'smsFallbackUrl'>;
/** `refFor`, `reportUrlFor`: what comes back in reports differs by wire. */
type Asked = {
  to: string;
  text: string;
  senderId: string;
  refFor: (wire: Wire) => string;
  reportUrlFor?: (wire: Wire) => string;
};
/** `wire` null: no gateway was asked. */
type Outcome = { sent: Sent; wire: Wire | null };

/** The gateways that are set up, the first one first. What config.ts took can be read. */
export const gatewaysOf = ({ smsUrl, smsFallbackUrl }: Gateways): SmsAddress[] =>
  [smsUrl, smsFallbackUrl].flatMap((text) => {
    const read = text === null ? null : readSmsAddress(text);
    return read === null || typeof read === 'string' ? [] : [read];
  });

/** The gateway of that wire that is set up, or undefined. */
export const gatewayOf = <W extends Wire>(config: Gateways, wire: W): Extract<SmsAddress, { wire: W }> | undefined =>
  gatewaysOf(config).find((one): one is Extract<SmsAddress, { wire: W }> => one.wire === wire);

const sendBy = (outside: Outside, at: SmsAddress, asked: Asked): Promise<Sent> => {
  const { to, text, senderId, refFor, reportUrlFor } = asked;
  const sms = { to, text, ref: refFor(at.wire), senderId, ...(reportUrlFor ? { reportUrl: reportUrlFor(at.wire) } : {}) };
  switch (at.wire) {
    case 'http':
      return sendByHttp(at.url, sms);
    case 'sveve':
      return sendBySveve(outside, at, sms);
    case 'link':
      return sendByLink(outside, at, sms);
    case 'twilio':
      return sendByTwilio(outside, at, sms);
  }
};

/** One SMS, by the first gateway; by the second only where the first has surely not taken it. Never throws for what the other side does. */
export const sendSms = async (outside: Outside, config: Gateways, asked: Asked): Promise<Outcome> => {
  let last: Outcome = { sent: { state: 'failed', error: 'SMS is not set up' }, wire: null };
  for (const at of gatewaysOf(config)) {
    last = { sent: await sendBy(outside, at, asked), wire: at.wire };
    if (last.sent.state !== 'again') break;
  }
  return last;
};

/** SMS of the identity pages: sent at once, by no company, and nobody waits for its fate; a failure is thrown. */
export const createTexter =
  (config: Config, outside: Outside, log: Logger): ((text: Text) => Promise<void>) =>
  async (text) => {
    if (!config.smsUrl) {
      log.warn('an SMS could not be sent: SMS_URL is not set');
      throw new Error('SMS is not set up');
    }
    const ref = randomUUID();
    const { sent } = await sendSms(outside, config, { ...text, senderId: 'Hatchway', refFor: () => ref });
    if (sent.state !== 'accepted') throw new Error(`the SMS was not taken: ${sent.error}`);
  };
