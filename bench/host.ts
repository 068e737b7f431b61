import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/**
 * The other side of the bench: a whole Hatchway in a process of its own (dev/bench-host.ts), which also fills companies with rows, and
 * the bare server beside it. Asked by messages, so that the bench itself knows no server code.
 */
export type Questions = {
  /** `bare`: node:http with `pg` on the same database (dev/bench-bare.ts). */
  where: { ask: null; answer: { origin: string; bare: string; small: Company; large: Company; busy: Company } };
  /** Tokens of so many administrators of the small company that a thousand sockets are theirs. */
  watchers: { ask: null; answer: string[] };
  /** Every locker free again. */
  free: { ask: null; answer: null };
  /** Moves a door of the small company's virtual cabinet; answers at once. */
  door: { ask: { open: boolean }; answer: null };
};

/** `narrowToken`: of somebody who reads the history of sales alone: 1,000 events of the large company's, 100 of the small one's. */
export type Company = { tenantId: string; token: string; narrowToken: string; lockerIds: string[] };

export class Host {
  readonly #child: ChildProcess;
  #next = 0;

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, '..', 'dev', 'bench-host.ts'), [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  ask<Q extends keyof Questions>(question: Q, ask: Questions[Q]['ask']): Promise<Questions[Q]['answer']> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const hear = (message: { id: number; answer?: unknown; error?: string }) => {
        if (message.id !== id) return;
        this.#child.off('message', hear);
        this.#child.off('exit', gone);
        if (message.error === undefined) resolve(message.answer as Questions[Q]['answer']);
        else reject(new Error(message.error));
      };
      const gone = (code: number | null) => reject(new Error(`The bench's host ended (${code}).`));
      this.#child.on('message', hear);
      this.#child.once('exit', gone);
      this.#child.send({ id, question, ask });
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }
}
