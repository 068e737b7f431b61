import { isLost } from './db/errors.ts';

/** EX_TEMPFAIL and EX_CONFIG of sysexits.h: started again, what passes may have passed; what is set wrong stays so. */
export const EXIT_AGAIN = 75;
export const EXIT_CONFIG = 78;

/** A start that is refused, in a sentence for whoever runs the machine. */
export class Refusal extends Error {
  readonly exitCode: number;
  constructor(sentence: string, exitCode: number = EXIT_CONFIG, options?: ErrorOptions) {
    super(sentence, options);
    this.exitCode = exitCode;
  }
}

type Fault = { sentence: string; exitCode: number };
type SystemError = Partial<Record<'code' | 'path' | 'address' | 'message' | 'syscall', string>> & { port?: number };

/** What PostgreSQL's programs and Node say of the same. */
const FULL = /^(ENOSPC|EDQUOT|53100)$|No space left on device|Disk quota exceeded|disk is full/;
const READ_ONLY = /^EROFS$|Read-only file system/;
const FORBIDDEN = /^(EACCES|EPERM|ENOTDIR)$|Permission denied/;
/** The login or the database that DATABASE_URL names is none. */
const NO_LOGIN = /^(28[0-9A-Z]{3}|3D000)$/;

/** By its fields: the bundle that production runs has a class of its own. */
const isRefusal = (error: unknown): error is Refusal => error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number';

/** What keeps a start from its end, in one sentence where it is known. What nobody foresaw is told with its trace. */
export const startFault = (error: unknown, dataDir: string): Fault => {
  if (isRefusal(error)) return { sentence: error.message, exitCode: error.exitCode };
  const { code = '', path, port, address, syscall, message = String(error) } = error as SystemError;
  const is = (kind: RegExp) => kind.test(code) || kind.test(message);
  const where = path ?? `DATA_DIR (${dataDir})`;
  if (is(FULL)) return { sentence: `The disk is full, where ${where} lies: make room and start again.`, exitCode: EXIT_AGAIN };
  if (is(READ_ONLY))
    return { sentence: `The disk is read-only, where ${where} lies: nothing can be kept, so nothing starts.`, exitCode: EXIT_AGAIN };
  if (is(FORBIDDEN))
    return { sentence: `${where} cannot be written as this user (${code || 'permission denied'}).`, exitCode: EXIT_CONFIG };
  // Node says so of a folder on a disk that is read-only.
  if (code === 'ENOENT' && syscall === 'mkdir')
    return { sentence: `${where} cannot be made: its disk is read-only, or the folder above it is not there.`, exitCode: EXIT_AGAIN };
  if (code === 'ENOENT' && path) return { sentence: `${path} cannot be read: it is not there.`, exitCode: EXIT_CONFIG };
  if (code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL')
    return {
      sentence: `Port ${port ?? ''} of ${address ?? 'this machine'} cannot be had (${code}); choose another one, as PORT=8081.`,
      exitCode: EXIT_CONFIG,
    };
  if (NO_LOGIN.test(code)) return { sentence: `PostgreSQL refuses what DATABASE_URL says: ${message}.`, exitCode: EXIT_CONFIG };
  if (isLost(error)) return { sentence: `PostgreSQL cannot be reached: ${message || code}.`, exitCode: EXIT_AGAIN };
  // Our own have a sentence; what has a name of its own (TypeError) or another's code is a defect.
  const ours = error instanceof Error && error.constructor === Error && code === '';
  return { sentence: ours || !(error instanceof Error) ? message : (error.stack ?? message), exitCode: 1 };
};
