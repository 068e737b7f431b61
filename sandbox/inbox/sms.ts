import type { FastifyInstance } from 'fastify';
import type { Inbox } from './inbox.ts';
import { loopback, post, take, type Submission } from './take.ts';

/** E.164 with its plus, and a sender of at most 11 letters and digits, as phone companies ask for. */
function readSubmission(body: unknown): (Submission & { reportUrl: string | null }) | string {
  if (typeof body !== 'object' || body === null) return 'A JSON object is needed';
  const { to, text, ref, senderId, reportUrl } = body as Record<string, unknown>;
  if (typeof to !== 'string' || !/^\+[1-9]\d{5,14}$/.test(to)) return 'to: a number in E.164 is needed';
  if (typeof text !== 'string' || text === '' || text.length > 1071) return 'text: 1 to 1071 characters are needed';
  const from = senderId === undefined || senderId === null ? 'Hatchway' : senderId;
  if (typeof from !== 'string' || !/^[A-Za-z0-9 ]{1,11}$/.test(from)) return 'senderId: 1 to 11 letters and digits are needed';
  if (ref !== undefined && ref !== null && typeof ref !== 'string') return 'ref: a string is needed';
  if (reportUrl !== undefined && reportUrl !== null && (typeof reportUrl !== 'string' || !loopback(reportUrl)))
    return 'reportUrl: an address of this machine is needed';
  return { to, text, ref: ref ?? null, from, reportUrl: reportUrl ?? null };
}

/**
 * The SMS gateway: `POST {prefix}/sms` with {to, text, ref, senderId, reportUrl?} → 202 {id, segments};
 * `GET {prefix}/sms/{id}` → {id, ref, state}. Where a `reportUrl` was given, the same is posted to it once the fate is known.
 * Like real gateways it does not look at `ref`: whoever submits twice sends twice.
 */
export function mountSms(app: FastifyInstance, inbox: Inbox, prefix: string): void {
  app.post(`${prefix}/sms`, async (request, reply) => {
    const submission = readSubmission(request.body);
    if (typeof submission === 'string') return reply.code(400).send({ error: submission });
    const { ref, reportUrl } = submission;
    return take(inbox, request, reply, submission, {
      accepted: (taken) => [202, taken],
      refused: () => [422, { error: 'The number cannot be reached' }],
      busy: () => [429, { error: 'Too many at once' }],
      report: async ({ id }, state, forged) => {
        if (reportUrl === null) return;
        const body = JSON.stringify({ id, ref, state, at: new Date().toISOString() });
        await post(forged ? `${reportUrl.slice(0, -4)}AAAA` : reportUrl, 'application/json', body);
      },
    });
  });

  app.get<{ Params: { id: string } }>(`${prefix}/sms/:id`, (request, reply) => {
    const message = inbox.get(request.params.id);
    if (message?.channel !== 'sms') return reply.code(404).send({ error: 'not found' });
    return reply.send({ id: message.id, ref: message.ref, state: message.state });
  });
}
