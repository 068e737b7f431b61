import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Inbox } from './inbox.ts';
import { linksIn, segmentsOf } from './message.ts';

type Submission = { to: string; text: string; ref: string | null; senderId: string; reportUrl: string | null };

/** E.164 with its plus, and a sender of at most 11 letters and digits, as phone companies ask for. */
function readSubmission(body: unknown): Submission | string {
  if (typeof body !== 'object' || body === null) return 'A JSON object is needed';
  const { to, text, ref, senderId, reportUrl } = body as Record<string, unknown>;
  if (typeof to !== 'string' || !/^\+[1-9]\d{5,14}$/.test(to)) return 'to: a number in E.164 is needed';
  if (typeof text !== 'string' || text === '' || text.length > 1071) return 'text: 1 to 1071 characters are needed';
  const sender = senderId === undefined || senderId === null ? 'Hatchway' : senderId;
  if (typeof sender !== 'string' || !/^[A-Za-z0-9 ]{1,11}$/.test(sender)) return 'senderId: 1 to 11 letters and digits are needed';
  if (ref !== undefined && ref !== null && typeof ref !== 'string') return 'ref: a string is needed';
  if (reportUrl !== undefined && reportUrl !== null && (typeof reportUrl !== 'string' || !loopback(reportUrl)))
    return 'reportUrl: an address of this machine is needed';
  return { to, text, ref: ref ?? null, senderId: sender, reportUrl: reportUrl ?? null };
}

/** The sandbox calls nobody but this machine. */
function loopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (protocol === 'http:' || protocol === 'https:') && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/** How long a phone takes to say that a message arrived, or the phone company to give up. */
const REPORT_AFTER = 150;

/**
 * The SMS gateway: `POST {prefix}/sms` with {to, text, ref, senderId, reportUrl?} → 202 {id, segments};
 * `GET {prefix}/sms/{id}` → {id, ref, state}. Where a `reportUrl` was given, the same is posted to it once the fate is known.
 * Like real gateways it does not look at `ref`: whoever submits twice sends twice.
 */
export function mountSms(app: FastifyInstance, inbox: Inbox, prefix: string): void {
  const report = async (id: string, { ref, reportUrl }: Submission, state: 'delivered' | 'failed') => {
    await wait(REPORT_AFTER, undefined, { ref: false });
    inbox.setState(id, state);
    if (reportUrl === null) return;
    const body = JSON.stringify({ id, ref, state, at: new Date().toISOString() });
    await fetch(reportUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    });
  };

  app.post(`${prefix}/sms`, async (request, reply) => {
    const submission = readSubmission(request.body);
    if (typeof submission === 'string') return reply.code(400).send({ error: submission });
    const fault = inbox.takeFault('sms', [submission.to]);
    if (fault?.kind === 'refuse') return reply.code(422).send({ error: 'The number cannot be reached' });
    if (fault?.kind === 'slow') await wait(fault.ms);
    const segments = segmentsOf(submission.text);
    const message = inbox.add({
      channel: 'sms',
      from: submission.senderId,
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
    // The line is gone: neither its answer nor its report comes through.
    if (fault?.kind === 'answer-lost') {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    report(message.id, submission, fault?.kind === 'accept-then-fail' ? 'failed' : 'delivered').catch((error: unknown) => {
      request.log.warn({ err: error }, 'sandbox: delivery report was not taken');
    });
    return reply.code(202).send({ id: message.id, segments });
  });

  app.get<{ Params: { id: string } }>(`${prefix}/sms/:id`, (request, reply) => {
    const message = inbox.get(request.params.id);
    if (message?.channel !== 'sms') return reply.code(404).send({ error: 'not found' });
    return reply.send({ id: message.id, ref: message.ref, state: message.state });
  });
}
