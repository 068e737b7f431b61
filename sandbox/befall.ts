import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Faults } from './faults.ts';

/** The line is cut: no answer comes. */
export function cutLine(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** A bad day that befalls any call before it is looked at; true where that was the answer. `answers`: how a wire says each, beside a slow or a cut line. */
export async function befallen<Kind extends string>(
  faults: Faults<Kind | 'slow' | 'cut'>,
  reference: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
  answers: { [kind in Kind]?: () => unknown },
): Promise<boolean> {
  const kinds = Object.keys(answers) as Kind[];
  const fault = faults.take(['slow', 'cut', ...kinds], reference);
  if (fault === null) return false;
  if (fault.kind === 'slow') {
    await wait(fault.ms);
    return false;
  }
  if (fault.kind === 'cut') cutLine(request, reply);
  else answers[fault.kind]?.();
  return true;
}
