import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export type Proxy = {
  server: string;
  /** When each tunnel was asked for: a page opens one for a websocket and for nothing else. */
  tunnels: number[];
  /** Tears every tunnel, without a word to either end; new ones are refused until `mend`. */
  cut: () => void;
  mend: () => void;
  /** Both ends stay open and nothing passes any more, as on a line whose middle forgot it; new tunnels pass again. */
  swallow: () => void;
  close: () => Promise<void>;
};

/** An honest line between a page and the server that can be cut: plain requests pass, websockets go through tunnels. */
export const startProxy = async (): Promise<Proxy> => {
  const open = new Set<Socket>();
  const tunnels: number[] = [];
  let torn = false;
  const server = createServer((asked, answer) => {
    const to = new URL(asked.url ?? '');
    const on = request({ host: '127.0.0.1', port: to.port, path: to.pathname + to.search, method: asked.method, headers: asked.headers });
    on.on('response', (from) => {
      answer.writeHead(from.statusCode ?? 502, from.rawHeaders);
      from.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
  server.on('connect', (asked, socket: Socket, head: Buffer) => {
    // the browser's own errands into the world go nowhere
    if (!asked.url?.startsWith('localhost:')) return void socket.destroy();
    tunnels.push(Date.now());
    if (torn) return void socket.destroy();
    const far = connect(Number(asked.url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      far.write(head);
      socket.pipe(far).pipe(socket);
    });
    for (const end of [socket, far]) {
      open.add(end);
      end.on('error', () => end.destroy());
      end.once('close', () => {
        open.delete(end);
        socket.destroy();
        far.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const tear = () => {
    for (const end of open) end.resetAndDestroy();
  };
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    cut: () => {
      torn = true;
      tear();
    },
    mend: () => (torn = false),
    swallow: () => {
      for (const end of open) {
        end.unpipe();
        end.resume();
      }
    },
    close: () => {
      tear();
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
};
