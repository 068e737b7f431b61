import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** For what hangs: a machine that is busy elsewhere makes a test slow, not wrong, and what never comes fails all the same. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** No file leaves anything behind in a module that another would trip over: reading all of them anew for each was a fifth of the time. */
const isolate = false;

/** Files whose turn it is not (dev/suites.ts); projects ignore `--exclude`. */
const leftOut = process.env['LEFT_OUT']?.split(' ') ?? [];

/** Small files that wait for real time: begun last, one of them keeps everybody up to ten seconds. */
const WAITING = ['devices/settling', 'devices/rivals', 'db/keep-running', 'db/embedded', 'wire/backup', 'server/bus', 'server/nodes'];
const waits = ({ moduleId }: TestSpecification): boolean => WAITING.some((name) => moduleId.endsWith(`${name}.test.ts`));
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

const setupFiles = ['dev/property-seed.ts'];

// Server tests share one database cluster (server/db/test-cluster.ts) and each file gets a database of its own from a template.
export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'domain/**/*.test.ts',
            'contract/**/*.test.ts',
            'portal/**/*.test.ts',
            'pickup/**/*.test.ts',
            'dev/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'dev/wire/**', 'dev/long/**', 'dev/newcomer/**'],
          setupFiles,
          ...patience,
          isolate,
        },
      },
      {
        test: {
          name: 'server',
          // dev/wire holds what needs both ends of a wire, the server's and the sandbox's: only dev may import both
          include: ['server/**/*.test.ts', 'sandbox/**/*.test.ts', 'dev/wire/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...leftOut],
          globalSetup: ['server/db/test-cluster.ts'],
          setupFiles,
          ...patience,
          // half of their time they wait for doors, retries and clocks
          maxWorkers: 6,
          // Workers that share two cores collect their garbage seldom, and each by itself: a seventh less of the processors.
          execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
          isolate,
        },
      },
      // whole servers that start and are stopped at many moments, half a minute that few changes touch: `npm run test:all`
      { test: { name: 'long', include: ['dev/long/**/*.test.ts'], exclude: ['**/node_modules/**'], ...patience } },
      // alone, since `npm run bench` measures with it how long a start takes
      { test: { name: 'newcomer', include: ['dev/newcomer/**/*.test.ts'], exclude: ['**/node_modules/**'], ...patience } },
    ],
  },
});
