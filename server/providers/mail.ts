import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Mail } from '../identity/options.ts';
import { sendLetter } from './smtp.ts';

/** Mail of the identity pages: sent at once, a failure is thrown to the page. */
export const createMailer =
  (config: Config, log: Logger): ((mail: Mail) => Promise<void>) =>
  async (mail) => {
    if (!config.smtpUrl) {
      log.warn('a mail could not be sent: SMTP_URL is not set');
      throw new Error('mail is not set up');
    }
    const sent = await sendLetter(config.smtpUrl, { from: config.mailFrom, ...mail });
    if (sent.state !== 'accepted') throw new Error(`the mail was not taken: ${sent.error}`);
  };
