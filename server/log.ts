import { isLost, isOfAnyLine } from './db/errors.ts';
import { pino, stdSerializers, type LogFn, type Logger } from 'pino';

/** What is told of an error, and no more: a database's error carries its whole connection along, and rows of people in its details. */
const TOLD = ['type', 'message', 'stack', 'code', 'constraint', 'table', 'routine', 'statusCode'] as const;

const told = (error: Error): Record<string, unknown> => {
  const known = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return Object.fromEntries(TOLD.filter((field) => known[field] !== undefined).map((field) => [field, known[field]]));
};

/** `debug` of pino. */
const QUIET = 20;

/** One JSON line a happening. Never a header, so never a token. */
export const newLog = (level: string, out?: { write: (line: string) => void }, databaseAway = () => false): Logger => {
  const options = {
    level,
    redact: { paths: ['req.headers', 'headers.authorization'], remove: true },
    serializers: { err: told },
    hooks: {
      // A database that is away is told once (part.ts): what fails for that meanwhile is no news, and would fill the disk.
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, ofLevel: number) {
        const [first] = args as unknown as [{ err?: unknown } | string | undefined];
        const error = typeof first === 'object' ? first.err : undefined;
        if (ofLevel > QUIET && isLost(error) && (databaseAway() || !isOfAnyLine(error))) this.debug(...args);
        else method.apply(this, args);
      },
    },
  };
  return out ? pino(options, out) : pino(options);
};
