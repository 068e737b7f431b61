import { parseArgs } from 'node:util';
import { QUICK } from '@hatchway/server/identity/passwords.ts';
import { startHatchway } from './start.ts';
import type { Where } from './where.ts';

/** A whole Hatchway as a process of its own, for tests and the bench: says over the channel to its parent where it is, and stops when told. */
const { values } = parseArgs({
  options: { data: { type: 'string' }, port: { type: 'string', default: '0' }, demo: { type: 'boolean', default: false } },
});
if (!values.data) throw new Error('--data names the folder to keep things in.');

const hatchway = await startHatchway({
  port: Number(values.port),
  folder: values.data,
  demo: values.demo,
  logLevel: 'error',
  passwordCost: QUICK,
});
const { origin, operatorKey, demoKey }: Where = hatchway;
process.send?.({ origin, operatorKey, demoKey });

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  void hatchway.stop().then(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// a parent that died leaves nothing running
process.on('disconnect', stop);
