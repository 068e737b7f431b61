import { parseArgs } from 'node:util';
import { QUICK } from '@hatchway/server/identity/passwords.ts';
import type { Pace } from '@hatchway/server/pace.ts';
import { startHatchway } from './start.ts';
import { runUntilTold } from '@hatchway/server/until-told.ts';
import type { Where } from './where.ts';

/** A whole Hatchway as a process of its own, for tests and the bench: says over the channel to its parent where it is, and stops when told. */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    demo: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    vipps: { type: 'string' },
    embedded: { type: 'boolean', default: false },
  },
});
if (!values.data) throw new Error('--data names the folder to keep things in.');

/**
 * What is shut fills at once, since no journey says anything of a door that silence fills. All else keeps its time: a cabinet answers late
 * on a busy machine, and after a claim a person has the word first, also where a sensor bears witness.
 */
const QUICK_PACE: Partial<Pace> = { fillSeconds: 0.5, sensedSeconds: 30 };

const { port, data: folder, demo, quick, vipps: vippsUrl, embedded } = values;
const more = { passwordCost: QUICK, ...(quick ? { pace: QUICK_PACE } : {}) };
/** A Keycloak that signs people in, but where the embedded provider is asked for: its secret is no argument, which whoever looks at the processes reads. */
const { KEYCLOAK_URL: url, KEYCLOAK_SECRET: secret } = process.env;
const keycloak = url && secret && !embedded ? { url, secret } : null;
// a parent that died leaves nothing running
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.exitCode = await runUntilTold(
  async (signal) => {
    const hatchway = await startHatchway({ port: Number(port), folder, demo, logLevel: 'error', signal, vippsUrl, keycloak, ...more });
    const { origin, operatorKey, demoKey }: Where = hatchway;
    process.send?.({ origin, operatorKey, demoKey });
    return hatchway;
  },
  { dataDir: folder },
);
