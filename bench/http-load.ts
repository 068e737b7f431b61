import { type Answer, KeptConnection } from './kept-connection.ts';

export type Shot = { method: 'GET' | 'POST' | 'PUT'; path: string; token: string; body?: unknown };

/** One request on a kept connection, answered by 2xx: anything else ends the bench, since a fast refusal is no speed. */
async function shoot(connection: KeptConnection, { method, path, token, body }: Shot) {
  const answer = await connection.ask(method, path, token, body === undefined ? undefined : JSON.stringify(body));
  if (answer.status < 200 || answer.status > 299) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body()}`);
  return answer;
}

async function connected<T>(origin: string, connections: number, run: (connection: KeptConnection) => Promise<T>): Promise<T[]> {
  const opened = await Promise.all(Array.from({ length: connections }, () => KeptConnection.open(origin)));
  try {
    return await Promise.all(opened.map(run));
  } finally {
    for (const connection of opened) connection.close();
  }
}

/** Requests a second that so many connections get answered, each asking again as soon as it was. */
export async function throughput(origin: string, connections: number, seconds: number, next: () => Shot): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  await connected(origin, connections, async (connection) => {
    while (performance.now() < end) {
      await shoot(connection, next());
      answered++;
    }
  });
  return answered / seconds;
}

/** Requests a second over a fixed number of them, for what can be done only so often. */
export async function burst(origin: string, connections: number, times: number, next: () => Shot): Promise<number> {
  const began = performance.now();
  let left = times;
  await connected(origin, connections, async (connection) => {
    while (left-- > 0) await shoot(connection, next());
  });
  return times / ((performance.now() - began) / 1000);
}

export async function answerTo(origin: string, shot: Shot): Promise<Answer> {
  const [answer] = await connected(origin, 1, (connection) => shoot(connection, shot));
  if (!answer) throw new Error('nothing was asked');
  return answer;
}

/** Milliseconds of each of so many requests, one after another. */
export async function latencies(origin: string, times: number, next: () => Shot): Promise<number[]> {
  const taken: number[] = [];
  await connected(origin, 1, async (connection) => {
    for (let at = 0; at < times; at++) {
      const began = performance.now();
      await shoot(connection, next());
      taken.push(performance.now() - began);
    }
  });
  return taken;
}

const nextOf = ({ head }: Answer): string | undefined => /<([^>]+)>;\s*rel="next"/.exec(head)?.[1];

/** Follows a list to its end, by pages of 500 first, and answers the path of the last page of 50 that is full. */
export async function lastPage(origin: string, token: string, first: string): Promise<string> {
  const walk = async (connection: KeptConnection, from: string): Promise<string> => {
    // a page that another one follows is full
    let full = from;
    for (let path = from; ;) {
      const next = nextOf(await shoot(connection, { method: 'GET', path, token }));
      if (next === undefined) return full;
      full = path;
      path = next;
    }
  };
  const [path] = await connected(origin, 1, async (connection) => {
    const near = await walk(connection, `${first}?limit=500`);
    return walk(connection, near.replace('limit=500', 'limit=50'));
  });
  return path ?? first;
}

/** The history's page of 50 by the cursor that stands so many seconds back. The moment finds the cursor, and is no part of what is asked with it. */
export async function pageBack(origin: string, token: string, seconds: number): Promise<string> {
  const q = JSON.stringify({ at: { $lt: new Date(Date.now() - seconds * 1000).toISOString() } });
  const next = nextOf(await answerTo(origin, { method: 'GET', path: `/v1/history?limit=50&q=${encodeURIComponent(q)}`, token }));
  if (next === undefined) throw new Error('the history is shorter');
  const url = new URL(next, origin);
  url.searchParams.delete('q');
  return url.pathname + url.search;
}
