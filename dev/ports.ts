import { createServer } from 'node:net';

const listenOn = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

/** One that nobody listens on now. */
export const freePort = (): Promise<number> => listenOn(0);

/** Throws EADDRINUSE when somebody listens there: asked before a start that would come to it only after the database. */
export const needPort = async (port: number): Promise<void> => void (await listenOn(port));
