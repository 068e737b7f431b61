import { WebSocket } from 'ws';

type Crowd = {
  /** Milliseconds from `act` to each client's message that fits, and what the last of them heard. */
  measure: (act: () => Promise<unknown>, fits: (text: string) => boolean) => Promise<{ taken: number[]; heard: string }>;
  close: () => void;
};

const patience = 15_000;

/** So many clients on one address, subscribed and quiet, as these people by turns, since a person has so many sockets and no more. `greet` is what each says once it is there, and waits for an answer to. */
export async function gather(
  url: string,
  clients: number,
  { protocols = [], greet }: { protocols?: readonly string[]; greet?: string } = {},
): Promise<Crowd> {
  const sockets: WebSocket[] = [];
  const join = () =>
    new Promise<void>((resolve, reject) => {
      const protocol = protocols[sockets.length % protocols.length];
      const socket = new WebSocket(url, protocol ? [protocol] : [], { perMessageDeflate: false });
      sockets.push(socket);
      socket.once('error', reject);
      socket.once('close', (code) => reject(new Error(`a client was closed (${code})`)));
      socket.once('open', () => (greet ? socket.send(greet) : resolve()));
      socket.once('message', (data) => {
        const said = JSON.parse((data as Buffer).toString()) as { topic?: string; error?: string };
        if (said.error) reject(new Error(`subscribing was refused: ${said.error}`));
        else resolve();
      });
    });
  // not all at once: a listen queue is no part of what is measured
  for (let at = 0; at < clients; at += 50) await Promise.all(Array.from({ length: Math.min(50, clients - at) }, join));

  const measure: Crowd['measure'] = async (act, fits) => {
    const began = performance.now();
    let text = '';
    const heard = sockets.map(
      (socket) =>
        new Promise<number>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error('a client heard nothing')), patience);
          const hear = (data: unknown) => {
            const said = (data as Buffer).toString();
            if (!fits(said)) return;
            text = said;
            clearTimeout(timer);
            socket.off('message', hear);
            resolve(performance.now() - began);
          };
          socket.on('message', hear);
        }),
    );
    const [, taken] = await Promise.all([act(), Promise.all(heard)]);
    return { taken, heard: text };
  };
  return { measure, close: () => sockets.forEach((socket) => socket.terminate()) };
}
