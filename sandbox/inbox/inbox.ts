import { randomUUID } from 'node:crypto';
import { takeFirst } from '../faults.ts';
import { openJournal } from '../journal.ts';
import { createListeners } from '../listeners.ts';
import type { Fault } from './faults.ts';
import type { Message, NewMessage } from './message.ts';

export type InboxEvent =
  | { kind: 'added' | 'changed'; message: Message }
  | { kind: 'removed'; id: string }
  | { kind: 'cleared' }
  | { kind: 'faults' };

export type Inbox = ReturnType<typeof createInbox>;

/** A demo's inbox has no use for more; older messages fall out. */
const KEPT = 1000;

const plain = (to: string): string => to.toLowerCase().replaceAll(/[\s+]/g, '');

/** The catch-all inbox: in memory, and as JSON lines in `folder` where one is given, so that it survives a restart. */
export function createInbox({ folder }: { folder?: string } = {}) {
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
    /** Newest first. `to` is an address, or a number with or without its plus. */
    list: ({ to, channel }: { to?: string | undefined; channel?: string | undefined } = {}): Message[] =>
      [...messages.values()]
        .filter(
          (message) =>
            (to === undefined || message.to.some((one) => plain(one) === plain(to))) &&
            (channel === undefined || message.channel === channel),
        )
        .toReversed(),
    get: (id: string): Message | undefined => messages.get(id),
    add: (fresh: NewMessage): Message => {
      const message: Message = { ...fresh, id: randomUUID(), at: new Date().toISOString() };
      keep(message);
      tell({ kind: 'added', message });
      return message;
    },
    setState: (id: string, state: Message['state']) => {
      const message = messages.get(id);
      if (!message || message.state === state) return;
      message.state = state;
      keep(message);
      tell({ kind: 'changed', message });
    },
    remove: (id: string): boolean => {
      if (!messages.has(id)) return false;
      keep({ removed: id });
      tell({ kind: 'removed', id });
      return true;
    },
    clear: () => {
      keep({ cleared: true });
      tell({ kind: 'cleared' });
    },
    faults: faults as readonly Fault[],
    setFault: (fault: Fault) => {
      faults.push(fault);
      tell({ kind: 'faults' });
    },
    clearFaults: () => {
      faults.length = 0;
      tell({ kind: 'faults' });
    },
    takeFault: (channel: Fault['channel'], to: string[]): Fault | null => {
      const fault = takeFirst(faults, (one) => one.channel === channel && (one.to === null || to.includes(one.to)));
      if (fault) tell({ kind: 'faults' });
      return fault;
    },
    on,
  };
}
