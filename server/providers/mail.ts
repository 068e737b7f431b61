import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Mail } from '../identity/options.ts';

/** How a send ended. `unknown`: the answer was lost, it may have been taken; it is never repeated by itself. */
export type Sent =
  | { state: 'accepted'; providerRef: string | null }
  | { state: 'failed'; error: string }
  | { state: 'again'; error: string }
  | { state: 'unknown'; error: string };

/** Mail of the identity pages: sent at once, a failure is thrown to the page. */
export const createMailer = (config: Config, log: Logger): ((mail: Mail) => Promise<void>) => {
  if (!config.smtpUrl) {
    return async () => {
      log.warn('a mail could not be sent: SMTP_URL is not set');
      throw new Error('mail is not set up');
    };
  }
  const transport = createTransport(config.smtpUrl);
  return async (mail) => void (await transport.sendMail({ from: config.mailFrom, ...mail }));
};
