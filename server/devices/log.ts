import type { FastifyBaseLogger } from 'fastify';

/** The part of a pino logger that this folder needs. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** A name of ours has 73 letters; before login, whoever connects may say as many as a packet holds. */
const NAME_AT_MOST = 100;
/** What somebody said of themselves, as a log line and memory hold it. */
export const brief = (said: string): string =>
  said.length <= NAME_AT_MOST ? said : `${said.slice(0, NAME_AT_MOST)}… (${said.length} letters)`;
