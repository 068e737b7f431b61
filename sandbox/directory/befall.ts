import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { befallen } from '../befall.ts';
import type { Directory } from './directory.ts';

/** Graph's own shape of what went wrong. */
export const failure = (code: string, message: string) => ({
  error: { code, message, innerError: { date: new Date().toISOString().slice(0, 19), 'request-id': randomUUID(), 'client-request-id': randomUUID() } },
}); // prettier-ignore

/** Before any call is looked at; true where that was the answer. */
export const isBadDay = ({ faults }: Directory, tid: string | null, request: FastifyRequest, reply: FastifyReply): Promise<boolean> =>
  befallen(faults, tid, request, reply, {
    outage: () => reply.code(503).send(failure('serviceNotAvailable', 'The service is away.')),
    error: () => reply.code(500).send(failure('generalException', 'Something broke.')),
    garbage: () => reply.code(200).type('text/html').send('<html>Service degraded'),
    // To where machines in a cloud find their own secrets.
    redirect: () => reply.redirect('http://169.254.169.254/latest/meta-data/', 302),
  });
