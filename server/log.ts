import { pino, stdSerializers, type Logger } from 'pino';

/** What is told of an error, and no more: a database's error carries its whole connection along, and rows of people in its details. */
const TOLD = ['type', 'message', 'stack', 'code', 'constraint', 'table', 'routine', 'statusCode'] as const;

const told = (error: Error): Record<string, unknown> => {
  const known = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return Object.fromEntries(TOLD.filter((field) => known[field] !== undefined).map((field) => [field, known[field]]));
};

/** One JSON line a happening. Never a header, so never a token. */
export const newLog = (level: string, out?: { write: (line: string) => void }): Logger => {
  const options = {
    level,
    redact: { paths: ['req.headers', 'headers.authorization'], remove: true },
    serializers: { err: told },
  };
  return out ? pino(options, out) : pino(options);
};
