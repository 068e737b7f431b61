import type { Deps } from '../deps.ts';
import { settleCommand } from '../modules/lockers/open.ts';
import type { Job } from './jobs.ts';

type Handler<N extends Job['name']> = (deps: Deps, job: Extract<Job, { name: N }>) => Promise<void>;

/** Who does what follows a commit. A handler that throws is called again later: each finds out itself what is still to be done. */
export const handlers: { readonly [N in Job['name']]: Handler<N> } = {
  message: async () => {},
  'look-again': async () => {},
  'settle-command': (deps, job) => settleCommand(deps, job.tenantId, job.commandId),
  sweep: async () => {},
};
