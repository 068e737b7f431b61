import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from './directory.ts';

/** Graph's own shape of what went wrong. */
export const failure = (code: string, message: string) => ({
  error: { code, message, innerError: { date: new Date().toISOString().slice(0, 19), 'request-id': randomUUID(), 'client-request-id': randomUUID() } },
}); // prettier-ignore

/** A bad day that befalls any call before it is looked at; true where that was the answer. */
export async function befallen({ faults }: Directory, tid: string | null, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const fault = faults.take(['outage', 'cut', 'slow', 'error', 'garbage', 'redirect'], tid);
  if (fault?.kind === 'slow') await wait(fault.ms);
  else if (fault?.kind === 'outage') reply.code(503).send(failure('serviceNotAvailable', 'The service is away.'));
  else if (fault?.kind === 'error') reply.code(500).send(failure('generalException', 'Something broke.'));
  else if (fault?.kind === 'garbage') reply.code(200).type('text/html').send('<html>Service degraded');
  // To where machines in a cloud find their own secrets.
  else if (fault?.kind === 'redirect') reply.redirect('http://169.254.169.254/latest/meta-data/', 302);
  else if (fault) {
    reply.hijack();
    request.raw.socket.destroy();
  }
  return fault !== null && fault.kind !== 'slow';
}
