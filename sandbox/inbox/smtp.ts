import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Inbox } from './inbox.ts';
import { parseMail } from './message.ts';

export type Smtp = { port: number; close(): Promise<void> };

const refusal = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

/** A mail server on loopback that takes everything for everybody and delivers it to the inbox. Port 0 lets the system choose. */
export async function startSmtp(inbox: Inbox, port: number): Promise<Smtp> {
  // Sockets by the client's port: dropping the line after DATA is nothing that the mail server itself would do.
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    name: 'inbox.sandbox',
    banner: 'Hatchway sandbox',
    authOptional: true,
    // No certificate here, so no STARTTLS is offered that a client would then fail on.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: 25 * 1024 * 1024,
    logger: false,
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        if (stream.sizeExceeded) return callback(refusal(552, 'Message exceeds fixed maximum message size'));
        receive(inbox, Buffer.concat(chunks), session, () => sockets.get(session.remotePort)?.destroy()).then(() => callback(), callback);
        return undefined;
      });
    },
  });
  server.on('error', () => {}); // a client's torn line is that client's affair
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

async function receive(inbox: Inbox, raw: Buffer, session: SMTPServerSession, drop: () => void): Promise<void> {
  const to = session.envelope.rcptTo.map((address) => address.address);
  const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
  const fault = inbox.takeFault('mail', to);
  if (fault?.kind === 'temporary') throw refusal(451, 'Requested action aborted: try again later');
  if (fault?.kind === 'permanent') throw refusal(550, 'Mailbox unavailable');
  if (fault?.kind === 'slow') await wait(fault.ms);
  inbox.add(await parseMail(raw, { from, to }));
  // Delivered, but the sender never hears so: it cannot know, and must not pretend to.
  if (fault?.kind === 'answer-lost') drop();
}
