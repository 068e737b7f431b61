import { randomUUID } from 'node:crypto';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';
import { takeFault, type Fault } from './faults.ts';
import type { Message, NewMessage } from './message.ts';

export type InboxEvent =
  | { kind: 'added' | 'changed'; message: Message }
  | { kind: 'removed'; id: string }
  | { kind: 'cleared' }
  | { kind: 'faults' };

export type Inbox = {
  /** Newest first. `to` is an address, or a number with or without its plus. */
  list(filter?: { to?: string | undefined; channel?: string | undefined }): Message[];
  get(id: string): Message | undefined;
  add(message: NewMessage): Message;
  setState(id: string, state: Message['state']): void;
  remove(id: string): boolean;
  clear(): void;
  readonly faults: readonly Fault[];
  setFault(fault: Fault): void;
  clearFaults(): void;
  takeFault(channel: Fault['channel'], to: string[]): Fault | null;
  /** Returns how to stop listening. */
  on(listener: (event: InboxEvent) => void): () => void;
};

/** A demo's inbox has no use for more; older messages fall out. */
const KEPT = 1000;

const plain = (to: string): string => to.toLowerCase().replaceAll(/[\s+]/g, '');

/** The catch-all inbox: in memory, and as JSON lines in `folder` where one is given, so that it survives a restart. */
export function createInbox({ folder }: { folder?: string } = {}): Inbox {
  const messages = new Map<string, Message>();
  const faults: Fault[] = [];
  const { on, tell } = createListeners<[InboxEvent]>();

  const place = (line: Message | { removed: string } | { cleared: true }) => {
    if ('cleared' in line) return messages.clear();
    if ('removed' in line) return void messages.delete(line.removed);
    messages.set(line.id, line);
    for (const oldest of messages.keys()) if (messages.size > KEPT) messages.delete(oldest);
  };
  const keep = openJournal(folder, 'inbox.jsonl', place, () => [...messages.values()]);

  return {
    list: ({ to, channel } = {}) =>
      [...messages.values()]
        .filter(
          (message) =>
            (to === undefined || message.to.some((one) => plain(one) === plain(to))) &&
            (channel === undefined || message.channel === channel),
        )
        .toReversed(),
    get: (id) => messages.get(id),
    add: (fresh) => {
      const message: Message = { ...fresh, id: randomUUID(), at: new Date().toISOString() };
      keep(message);
      tell({ kind: 'added', message });
      return message;
    },
    setState: (id, state) => {
      const message = messages.get(id);
      if (!message || message.state === state) return;
      message.state = state;
      keep(message);
      tell({ kind: 'changed', message });
    },
    remove: (id) => {
      if (!messages.has(id)) return false;
      keep({ removed: id });
      tell({ kind: 'removed', id });
      return true;
    },
    clear: () => {
      keep({ cleared: true });
      tell({ kind: 'cleared' });
    },
    faults,
    setFault: (fault) => {
      faults.push(fault);
      tell({ kind: 'faults' });
    },
    clearFaults: () => {
      faults.length = 0;
      tell({ kind: 'faults' });
    },
    takeFault: (channel, to) => {
      const fault = takeFault(faults, channel, to);
      if (fault) tell({ kind: 'faults' });
      return fault;
    },
    on,
  };
}
