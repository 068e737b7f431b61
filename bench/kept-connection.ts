import { connect, type Socket } from 'node:net';

export type Answer = { status: number; head: string; body: () => string };
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * A connection that asks one thing after another and waits for the whole of each answer. Bare, because the load generator shares its
 * cores with the server that it measures: what Node's own client takes of them would count as the server's slowness.
 */
export class KeptConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #waiting: Waiting | undefined;
  #parts: Buffer[] = [];
  #got = 0;
  #head: string | undefined;
  #wanted = 0;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (part) => this.#take(part));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  static open(origin: string): Promise<KeptConnection> {
    const { hostname, port, host } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new KeptConnection(socket, host)));
    });
  }

  ask(method: string, path: string, token: string, body?: string): Promise<Answer> {
    const content = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n${content}\r\n${body ?? ''}`,
      );
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#got += part.length;
    if (this.#head === undefined) {
      const bytes = this.#whole();
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) return;
      this.#head = bytes.toString('latin1', 0, end);
      this.#wanted = end + END_OF_HEAD.length + Number(/\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1] ?? 0);
    }
    if (this.#got < this.#wanted) return;
    const head = this.#head;
    const bytes = this.#whole();
    this.#parts = [];
    this.#got = 0;
    this.#head = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body: () => bytes.toString('utf8', head.length + END_OF_HEAD.length) });
  }

  #whole(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }
}
