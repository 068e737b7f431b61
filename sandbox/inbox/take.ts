import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cutLine } from '../befall.ts';
import { isLoopback } from '../loopback.ts';
import type { Inbox } from './inbox.ts';
import { linksIn, segmentsOf } from './message.ts';

export type Submission = { to: string; text: string; ref: string | null; from: string };
export type Taken = { id: string; segments: number };
/** How one wire says each of these. `report`: posts what became of it; `forged`, with a proof that is none. */
export type Wire = {
  accepted: (taken: Taken) => [number, unknown];
  refused: () => [number, unknown];
  busy: () => [number, unknown];
  report: (taken: Taken, state: 'delivered' | 'failed', forged: boolean) => Promise<unknown>;
};

/** How long a phone takes to say that a message arrived, or the phone company to give up. */
const REPORT_AFTER = 150;

/** One SMS, by whatever wire it came: into the inbox that all share, or wrong in the way that somebody chose. */
export async function take(inbox: Inbox, request: FastifyRequest, reply: FastifyReply, submission: Submission, wire: Wire) {
  const fault = inbox.takeFault('sms', [submission.to]);
  const say = ([status, body]: [number, unknown]) => reply.code(status).send(body);
  if (fault?.kind === 'refuse') return say(wire.refused());
  if (fault?.kind === 'busy') return say(wire.busy());
  if (fault?.kind === 'away') return say([503, { error: 'The service is away' }]);
  if (fault?.kind === 'broken') return say([500, { error: 'Something broke' }]);
  if (fault?.kind === 'slow') await wait(fault.ms);
  const segments = segmentsOf(submission.text);
  const message = inbox.add({
    channel: 'sms',
    from: submission.from,
    to: [submission.to],
    subject: null,
    text: submission.text,
    html: null,
    links: linksIn(submission.text),
    ref: submission.ref,
    messageId: null,
    segments,
    state: 'delivered',
  });
  const taken = { id: message.id, segments };
  if (fault?.kind === 'malformed') return reply.code(200).type('text/html').send('<html><body>OK</body></html>');
  // The line is gone: neither its answer nor its report comes through.
  if (fault?.kind === 'answer-lost') return cutLine(request, reply);
  const told = async () => {
    await wait(REPORT_AFTER, undefined, { ref: false });
    const state = fault?.kind === 'accept-then-fail' ? 'failed' : 'delivered';
    inbox.setState(message.id, state);
    await wire.report(taken, state, fault?.kind === 'forged');
  };
  told().catch((error: unknown) => request.log.warn({ err: error }, 'sandbox: delivery report was not taken'));
  return say(wire.accepted(taken));
}

/** A web address of this machine. */
export function loopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname);
}

export const post = (url: string, type: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  });
