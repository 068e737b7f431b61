import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * As much of a NATS server as the bus speaks to: subjects, `*` for one part of a subject, at most once, in order. The real client talks
 * to it over a real socket; what it does not do is what a NATS server may do besides (clusters, headers, queues).
 */
export type TestNats = { url: string; close: () => Promise<void> };

/** A way to it for one node alone, which can be cut while the others' hold. */
export type TestLine = { url: string; cut: () => void; mend: () => void; close: () => Promise<void> };

export const startTestLine = async (nats: TestNats): Promise<TestLine> => {
  const ends = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(new URL(nats.url).port), '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end.setNoDelay(true));
      end.on('error', () => {});
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    whole = false;
    for (const end of ends) end.destroy();
  };
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (whole = true),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
};

const matches = (filter: string, subject: string): boolean => {
  const [wanted, given] = [filter.split('.'), subject.split('.')];
  return wanted.length === given.length && wanted.every((part, at) => part === '*' || part === given[at]);
};

export const startTestNats = async (): Promise<TestNats> => {
  const clients = new Map<Socket, Map<string, string>>();
  const deliver = (subject: string, payload: Buffer) => {
    for (const [socket, filters] of clients)
      for (const [sid, filter] of filters)
        if (matches(filter, subject))
          socket.write(Buffer.concat([Buffer.from(`MSG ${subject} ${sid} ${payload.length}\r\n`), payload, Buffer.from('\r\n')]));
  };
  const server = createServer((socket) => {
    const filters = new Map<string, string>();
    clients.set(socket.setNoDelay(true), filters);
    socket.on('error', () => {});
    socket.on('close', () => clients.delete(socket));
    let waiting: Buffer = Buffer.alloc(0);
    /** One line, with the payload behind it where it has one; false while it is not all there. */
    const take = (): boolean => {
      const end = waiting.indexOf('\r\n');
      if (end < 0) return false;
      const [verb = '', ...words] = waiting.subarray(0, end).toString().split(' ');
      const size = verb === 'PUB' ? Number(words.at(-1)) + 2 : 0;
      const next = end + 2 + size;
      if (waiting.length < next) return false;
      if (verb === 'PING') socket.write('PONG\r\n');
      if (verb === 'SUB') filters.set(words.at(-1) ?? '', words[0] ?? '');
      if (verb === 'UNSUB') filters.delete(words[0] ?? '');
      if (verb === 'PUB') deliver(words[0] ?? '', waiting.subarray(end + 2, next - 2));
      waiting = waiting.subarray(next);
      return true;
    };
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (take());
    });
    const info = { server_id: 'test', version: '2.10.0', proto: 1, host: '127.0.0.1', port: 0, headers: false, max_payload: 1_048_576 };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of clients.keys()) socket.destroy();
      await closed;
    },
  };
};
