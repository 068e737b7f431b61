import { Agent, request } from 'node:http';

export type Shot = { method: 'GET' | 'POST'; path: string; token: string; body?: unknown };

/** One request on a kept connection; answers its status once the whole body is there. */
function shoot(
  origin: string,
  agent: Agent,
  { method, path, token, body }: Shot,
): Promise<{ status: number; text: string; link: string | undefined }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    };
    const sent = request(`${origin}${path}`, { method, agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const link = answer.headers.link;
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString(), link: Array.isArray(link) ? link[0] : link });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Requests a second that so many connections get answered, each asking again as soon as it was. Anything but 2xx ends the bench: a fast refusal is no speed. */
export async function throughput(origin: string, connections: number, seconds: number, next: () => Shot): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  const ask = async () => {
    while (performance.now() < end) {
      const { status, text } = await shoot(origin, agent, next());
      if (status < 200 || status > 299) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
      answered++;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, ask));
  } finally {
    agent.destroy();
  }
  return answered / seconds;
}

/** Requests a second over a fixed number of them, for what can be done only so often. */
export async function burst(origin: string, connections: number, times: number, next: () => Shot): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  let left = times;
  const ask = async () => {
    while (left-- > 0) {
      const { status, text } = await shoot(origin, agent, next());
      if (status < 200 || status > 299) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, ask));
  } finally {
    agent.destroy();
  }
  return times / ((performance.now() - began) / 1000);
}

/** Median milliseconds of one request after another. */
export async function latency(origin: string, times: number, next: () => Shot): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  try {
    for (let at = 0; at < times; at++) {
      const began = performance.now();
      const { status, text } = await shoot(origin, agent, next());
      if (status < 200 || status > 299) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
      taken.push(performance.now() - began);
    }
  } finally {
    agent.destroy();
  }
  taken.sort((a, b) => a - b);
  return taken[Math.floor(taken.length / 2)] ?? Number.NaN;
}

/** Follows a list to its end, by pages of 500 first, and answers the path of the last page of 50 that is full. */
export async function lastPage(origin: string, token: string, first: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** A page that another one follows is full; the last of those. */
  const walk = async (from: string): Promise<string> => {
    let full = from;
    for (let path = from; ;) {
      const { status, text, link } = await shoot(origin, agent, { method: 'GET', path, token });
      if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
      const next = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
      if (!next) return full;
      full = path;
      const url = new URL(next, origin);
      path = url.pathname + url.search;
    }
  };
  try {
    const near = await walk(`${first}?limit=500`);
    return await walk(near.replace('limit=500', 'limit=50'));
  } finally {
    agent.destroy();
  }
}
