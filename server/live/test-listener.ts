import { WebSocket } from 'ws';
import type { LiveServerMessage } from '@hatchway/contract/live.ts';

export type LiveEvent = Extract<LiveServerMessage, { topic: 'event' }>;
/** A real client of the socket, which keeps what it hears. */
export type Listener = {
  socket: WebSocket;
  events: LiveEvent[];
  /** Sends and waits for the answer; gives its error, or null. */
  ask: (message: Record<string, unknown>) => Promise<string | null>;
  /** The code it was closed with; null while it is open. */
  code: () => number | null;
  /** Why, in its own words. */
  reason: () => string;
  close: () => void;
};

/** Rejects with the HTTP status where the upgrade is refused. */
export const listen = (url: string, token: string | null, options: { origin?: string; build?: string } = {}): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const address = `${url.replace('http', 'ws')}/live${options.build ? `?build=${options.build}` : ''}`;
    const socket = new WebSocket(address, token ? [token] : [], { origin: options.origin ?? url });
    const events: LiveEvent[] = [];
    const waiting = new Map<string, (error: string | null) => void>();
    let code: number | null = null;
    let reason = '';
    let count = 0;
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as LiveServerMessage;
      if (message.topic === 'event') events.push(message);
      else waiting.get(message.id)?.(message.error ?? null);
    });
    socket.once('close', (closed, why) => {
      code = closed;
      reason = why.toString();
    });
    socket.on('error', () => {});
    socket.once('unexpected-response', (_request, response) => {
      reject(Object.assign(new Error(`refused with ${response.statusCode}`), { status: response.statusCode }));
      socket.terminate();
    });
    socket.once('open', () =>
      resolve({
        socket,
        events,
        ask: (message) =>
          new Promise((answered) => {
            const id = typeof message['id'] === 'string' ? message['id'] : `r${++count}`;
            waiting.set(id, answered);
            socket.send(JSON.stringify({ id, ...message }));
          }),
        code: () => code,
        reason: () => reason,
        close: () => socket.terminate(),
      }),
    );
  });
