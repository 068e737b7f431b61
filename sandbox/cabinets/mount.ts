import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z, ZodType } from 'zod';
import { mountStream } from '../events.ts';
import { mountPages } from '../pages.ts';
import { createFleet, newCabinetSchema, PairingRefused, type Fleet, type FleetOptions } from './fleet.ts';
import { actionSchema } from './model.ts';

/** Several changes of one moment go out as one. */
const STREAM_PAUSE_MS = 25;

/**
 * | GET    | /sandbox/cabinets            | the page |
 * | POST   | /sandbox/cabinets            | NewCabinet → cabinet; 409 `pairing-refused` |
 * | GET    | /sandbox/cabinets/list       | all cabinets |
 * | GET    | /sandbox/cabinets/stream     | server-sent events: `cabinet` with a cabinet, `gone` with an id, `all` when every one was sent |
 * | GET    | /sandbox/cabinets/{id}       | one |
 * | DELETE | /sandbox/cabinets/{id}       | take it off the wall |
 * | POST   | /sandbox/cabinets/{id}/act   | Action → cabinet, or 409 {code} when steel forbids it |
 */
export async function mountCabinets(app: FastifyInstance, options: FleetOptions): Promise<Fleet> {
  const fleet = createFleet(options);

  mountPages(app, { '/cabinets': 'cabinets' });
  await app.register(
    async (scope) => {
      scope.get('/list', async () => fleet.list().map((cabinet) => cabinet.view));
      scope.post('/', async (request, reply) => {
        const input = parsed(newCabinetSchema, request.body, reply);
        if (input === null) return reply;
        if (input.code === undefined && input.credentials === undefined) return reply.code(400).send({ code: 'code-or-credentials' });
        try {
          return reply.code(201).send((await fleet.add(input)).view);
        } catch (error) {
          if (!(error instanceof PairingRefused)) throw error;
          return reply.code(409).send({ code: 'pairing-refused', status: error.status });
        }
      });
      mountStream(scope, '/stream', (write) => follow(fleet, write));
      scope.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
        const cabinet = fleet.get(request.params.id);
        return cabinet ? cabinet.view : reply.code(404).send({ code: 'no-such-cabinet' });
      });
      scope.delete<{ Params: { id: string } }>('/:id', async (request, reply) => {
        const gone = await fleet.remove(request.params.id);
        return reply.code(gone ? 204 : 404).send();
      });
      scope.post<{ Params: { id: string } }>('/:id/act', async (request, reply) => {
        const cabinet = fleet.get(request.params.id);
        if (!cabinet) return reply.code(404).send({ code: 'no-such-cabinet' });
        const action = parsed(actionSchema, request.body, reply);
        if (action === null) return reply;
        const result = cabinet.act(action);
        return result.ok ? cabinet.view : reply.code(409).send({ code: result.code });
      });
    },
    { prefix: '/sandbox/cabinets' },
  );

  app.addHook('onClose', () => fleet.close());
  return fleet;
}

function follow(fleet: Fleet, write: (text: string) => void): () => void {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function send(id: string) {
    const cabinet = fleet.get(id);
    write(cabinet ? `event: cabinet\ndata: ${JSON.stringify(cabinet.view)}\n\n` : `event: gone\ndata: ${JSON.stringify(id)}\n\n`);
  }
  const off = fleet.onChange((id) => {
    waiting.add(id);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const one of waiting) send(one);
      waiting.clear();
    }, STREAM_PAUSE_MS);
  });
  for (const cabinet of fleet.list()) send(cabinet.view.id);
  write('event: all\ndata: null\n\n');
  return () => {
    off();
    clearTimeout(timer);
  };
}

function parsed<T extends ZodType>(schema: T, body: unknown, reply: FastifyReply): z.infer<T> | null {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  void reply.code(400).send({
    code: 'malformed',
    errors: result.error.issues.map((issue) => ({ pointer: `/${issue.path.join('/')}`, detail: issue.message })),
  });
  return null;
}
