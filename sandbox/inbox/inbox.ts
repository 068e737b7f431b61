import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
export function createInbox(options: { folder?: string } = {}): Inbox {
  const file = options.folder === undefined ? null : join(options.folder, 'inbox.jsonl');
  let messages: Message[] = file === null ? [] : readMessages(file);
  const faults: Fault[] = [];
  const listeners = new Set<(event: InboxEvent) => void>();

  if (file !== null && options.folder !== undefined) {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''), { mode: 0o600 });
  }
  const tell = (event: InboxEvent) => {
    for (const listener of listeners) listener(event);
  };
  const note = (line: unknown) => {
    if (file !== null) appendFileSync(file, `${JSON.stringify(line)}\n`);
  };

  return {
    list: ({ to, channel } = {}) =>
      messages
        .filter(
          (message) =>
            (to === undefined || message.to.some((one) => plain(one) === plain(to))) &&
            (channel === undefined || message.channel === channel),
        )
        .toReversed(),
    get: (id) => messages.find((message) => message.id === id),
    add: (fresh) => {
      const message: Message = { ...fresh, id: randomUUID(), at: new Date().toISOString() };
      messages = [...messages, message].slice(-KEPT);
      note(message);
      tell({ kind: 'added', message });
      return message;
    },
    setState: (id, state) => {
      const message = messages.find((one) => one.id === id);
      if (!message || message.state === state) return;
      message.state = state;
      note(message);
      tell({ kind: 'changed', message });
    },
    remove: (id) => {
      const before = messages.length;
      messages = messages.filter((message) => message.id !== id);
      if (messages.length === before) return false;
      note({ removed: id });
      tell({ kind: 'removed', id });
      return true;
    },
    clear: () => {
      messages = [];
      note({ cleared: true });
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
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Plays the lines back; a half-written last line (the process was killed) is passed over. */
function readMessages(file: string): Message[] {
  if (!existsSync(file)) return [];
  const byId = new Map<string, Message>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    let entry: Message | { removed: string } | { cleared: true };
    try {
      entry = JSON.parse(line) as typeof entry;
    } catch {
      continue;
    }
    if ('cleared' in entry) byId.clear();
    else if ('removed' in entry) byId.delete(entry.removed);
    else byId.set(entry.id, entry);
  }
  return [...byId.values()].slice(-KEPT);
}
