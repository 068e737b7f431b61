import type { FastifyBaseLogger } from 'fastify';

/** The part of a pino logger that this folder needs. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
