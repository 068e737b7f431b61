import fs from 'node:fs';
import os from 'node:os';

const MEMORY = '/dev/shm';
/** What a run takes, many times over: containers often have some 64 MB there. */
const ROOM = 4 * 1024 ** 3;

/**
 * Where tests keep what ends with them: in memory, where the machine has room there, else on its disk. Each copy of a database is a
 * thousand files; to make them on a disk took seven tenths of what PostgreSQL did for a server that starts and stops.
 */
export function testFolder(): string {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize < ROOM ? os.tmpdir() : MEMORY;
  } catch {
    return os.tmpdir();
  }
}
