import { parseArgs } from 'node:util';
import { QUICK } from '@hatchway/server/identity/passwords.ts';
import type { Pace } from '@hatchway/server/pace.ts';
import { startHatchway } from './start.ts';
import type { Where } from './where.ts';

/** A whole Hatchway as a process of its own, for tests and the bench: says over the channel to its parent where it is, and stops when told. */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    demo: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
if (!values.data) throw new Error('--data names the folder to keep things in.');

/**
 * What is shut fills at once, since no journey says anything of a door that silence fills. All else keeps its time: a cabinet answers late
 * on a busy machine, and after a claim a person has the word first.
 */
const QUICK_PACE: Partial<Pace> = { fillSeconds: 0.5 };

const hatchway = await startHatchway({
  port: Number(values.port),
  folder: values.data,
  demo: values.demo,
  logLevel: 'error',
  passwordCost: QUICK,
  ...(values.quick ? { pace: QUICK_PACE } : {}),
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
