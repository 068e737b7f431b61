import type { FastifyInstance } from 'fastify';
import { mountEvents } from './events.ts';
import { readFault, type Faults } from './faults.ts';

type Watched = { on: (listener: () => void) => () => unknown };

/** What a neighbour's page needs below `at`: `/faults` to list, add and clear, and `/events`, which says that one of `watched` changed. */
export function mountFaults<Kind extends string>(
  app: FastifyInstance,
  at: string,
  kinds: readonly Kind[],
  faults: Faults<Kind>,
  watched: readonly Watched[],
): void {
  app.get(`${at}/faults`, (_request, reply) => reply.header('cache-control', 'no-store').send(faults.list()));
  app.post(`${at}/faults`, (request, reply) => {
    const fault = readFault(kinds, request.body);
    if (!fault) return reply.code(400).send({ error: 'kind is needed' });
    faults.set(fault);
    return reply.code(201).send(fault);
  });
  app.delete(`${at}/faults`, (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
  mountEvents<'changed'>(app, `${at}/events`, (tell) => {
    const stops = [...watched, faults].map((one) => one.on(() => tell('changed')));
    return () => stops.forEach((stop) => stop());
  });
}
