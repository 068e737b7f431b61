import net from 'node:net';

/** Throws EADDRINUSE when somebody listens there: asked before a start that would come to it only after the database. */
export const needPort = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().on('error', reject);
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });

// Below those that a system gives by itself to connections that go out: from 32,768 on by Linux, 49,152 by others.
const FIRST = 20_000;
const PORTS = 10_000;
const TRIES = 100;
/** One that nobody listens on now, and that no connection is given before its owner listens. */
export const freePort = async (): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const port = FIRST + Math.floor(Math.random() * PORTS);
    try {
      await needPort(port);
      return port;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
};
