import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/**
 * The other side of the bench: a whole Hatchway in a process of its own (dev/bench-host.ts), which also runs the same statements without
 * HTTP, fills a company with rows, and broadcasts bare bytes. Asked by messages, so that the bench itself knows no server code.
 */
export type Questions = {
  where: { ask: null; answer: { origin: string; small: Company; large: Company; busy: Company } };
  /** Transactions a second of what GET /lockers?limit=50 does in the small company, without HTTP. */
  listed: { ask: { connections: number; seconds: number }; answer: number };
  /** Transactions a second of what POST /occupations does in the busy company with these bodies, without HTTP. */
  registered: { ask: { connections: number; bodies: unknown[] }; answer: number };
  /** Every locker free again. */
  free: { ask: null; answer: null };
  /** A bare ws server that says these bytes to everybody. */
  bare: { ask: null; answer: { url: string } };
  say: { ask: { text: string }; answer: null };
  /** Moves a door of the small company's virtual cabinet; answers at once. */
  door: { ask: { open: boolean }; answer: { lockerId: string } };
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
