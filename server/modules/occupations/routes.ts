import type { FastifyInstance } from 'fastify';
import { occupations } from '@hatchway/contract/occupations.ts';
import { mayActOnOccupation, maySeeLocker, maySeeOccupation, mayUseOnLocker } from '@hatchway/domain/access.ts';
import { inUtc } from '@hatchway/domain/deadlines.ts';
import type { Command, Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, Problem, ruled, unknownReference } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { bulk } from './bulk.ts';
import { apply, goalOf, load, type ApplyOptions } from './commands.ts';
import { doubt } from './doubt.ts';
import { findOccupations, listOccupations, oneOccupation } from './queries.ts';
import { receiverOf, registeredFor } from './registration-commands.ts';
import { lockOccupation } from './row-queries.ts';
import { channelsFor } from './telling-commands.ts';

/**
 * One that the caller sees and may act on, locked with the locker `goal` that it may go to: moved behind another door meanwhile, the
 * right at that one counts. Throws `not-found` or `forbidden`.
 */
const theirs = async (tx: Tx, caller: Caller, id: string, goal: string | null = null): Promise<Occupation> => {
  if (!(await lockOccupation(tx, caller.tenantId, id, goal))) throw absent();
  const o = await load(tx, caller.tenantId, id);
  if (!maySeeOccupation(o, caller.facts)) throw absent();
  if (!mayActOnOccupation(o, caller.facts)) throw new Problem('forbidden');
  return o;
};

const mayMoveTo = (caller: Caller, o: Occupation, lockerId: string | undefined): void => {
  if (lockerId === undefined || lockerId === o.lockerId) return;
  if (!maySeeLocker(lockerId, caller.facts)) throw unknownReference('/lockerId');
  if (!mayUseOnLocker(o.type, lockerId, caller.facts)) throw new Problem('forbidden');
};

/** Asking for a way that does not lead to the receiver is told at once, not by a message that never leaves. */
const reachable = (o: Occupation, command: Command): void => {
  if (command.kind !== 'send') return;
  const receiver = command.receiver ?? o.receiver;
  if (receiver === null || command.channel === undefined || channelsFor(receiver, command.channel).length > 0) return;
  const field = command.channel === 'sms' ? 'tlf' : 'email';
  throw new Problem('receiver-needed', `The receiver has no ${field === 'tlf' ? 'phone number' : 'e-mail address'}`, {
    errors: [{ pointer: `/receiver/${field}`, detail: 'needed for this channel' }],
  });
};

/** A deadline in UTC. In the year 9999 it is a typing mistake, and would be taken for none at all where lists are sorted. */
const utc = (moment: string | undefined): string | undefined => {
  if (moment === undefined) return undefined;
  const at = inUtc(moment);
  if (at === null || at >= '9999') throw new Problem('deadline');
  return at;
};

/** Fields that were not sent are left out, since the rules ask what a command names. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

export const occupationModule = (app: FastifyInstance, deps: Deps): void => {
  const silences = deps.pace;
  const act = async (tx: Tx, caller: Caller, now: string, id: string, command: Command, options: Omit<ApplyOptions, 'as'> = {}) => {
    const scope = scopeOf(caller, now);
    reachable(await theirs(tx, caller, id, goalOf(command)), command);
    await apply(tx, deps, scope, id, command, { as: 'staff', ...options });
    return scope;
  };

  serve(app, deps, occupations, {
    'POST /occupations': ({ tx, caller, body, now }) => registeredFor(tx, deps, caller, now, { ...body, pickupBy: utc(body.pickupBy) }),
    'POST /occupations/delivery': async ({ tx, caller, body, now }) => {
      const { fill, send, ...input } = body;
      if (send && input.receiver === undefined)
        throw new Problem('receiver-needed', undefined, { errors: [{ pointer: '/receiver', detail: 'needed to send' }] });
      // Nobody is told to fetch what nobody said is inside.
      if (send && !fill) throw ruled('Only what is filled can be sent', '/fill');
      const then: Command[] = [...(fill ? [{ kind: 'fill' } as const] : []), ...(send ? [{ kind: 'send' } as const] : [])];
      return registeredFor(tx, deps, caller, now, { ...input, type: 'delivery', pickupBy: utc(input.pickupBy) }, then);
    },
    'PUT /occupations': async ({ tx, caller, body, now }) => {
      const { id, version, action, ...fields } = body;
      const goal = 'lockerId' in fields ? fields.lockerId : undefined;
      mayMoveTo(caller, await theirs(tx, caller, id, goal), goal);
      const receiver = 'receiver' in fields ? receiverOf(caller, fields.receiver) : undefined;
      const command = given({ kind: action, ...fields, receiver }) as Command;
      const scope = await act(tx, caller, now, id, command, { expectedVersion: version });
      return oneOccupation(tx, { scope, facts: caller.facts, silences }, id);
    },
    'POST /occupations/bulk': {
      outside: ({ caller, body, again, once }) =>
        bulk(deps, caller.tenantId, { ids: body.ids, once }, async (tx, id) => {
          const now = deps.now().toISOString();
          const current = await again(tx, 'rights');
          const scope = await act(tx, current, now, id, given({ kind: body.action, reason: body.reason }));
          return oneOccupation(tx, { scope, facts: current.facts, silences }, id);
        }),
    },
    'PUT /occupations/assign': async ({ tx, caller, body, now }) => {
      const receiver = receiverOf(caller, body.receiver);
      const command = given({ kind: 'claim', quantity: body.quantity, dueAt: utc(body.dueAt), receiver }) as Command;
      const scope = await act(tx, caller, now, body.id, command, given({ paymentId: body.paymentId }));
      return oneOccupation(tx, { scope, facts: caller.facts, silences }, body.id);
    },
    'PUT /occupations/{id}': async ({ tx, caller, params, body, now }) => {
      const { version, receiver: input, ...fields } = body;
      const receiver = receiverOf(caller, input);
      const command = given({ kind: 'amend', ...fields, pickupBy: utc(fields.pickupBy), dueAt: utc(fields.dueAt), receiver }) as Command;
      const scope = await act(tx, caller, now, params.id, command, { expectedVersion: version });
      return oneOccupation(tx, { scope, facts: caller.facts, silences }, params.id);
    },
    'DELETE /occupations/{id}': async ({ tx, caller, params, body, now }) => {
      await act(tx, caller, now, params.id, given({ kind: 'delete', reason: body.reason }), { expectedVersion: body.version });
    },
    'POST /occupations/{id}/doubt': async ({ tx, caller, params, body, scope }) => {
      await theirs(tx, caller, params.id);
      const next = await doubt(tx, deps, scope, params.id, body.kind, caller.facts);
      return { ...(await oneOccupation(tx, { scope, facts: caller.facts, silences }, params.id)), next };
    },
    'POST /occupations/{id}/retrieve': async ({ tx, caller, params, body, now }) => {
      await act(tx, caller, now, params.id, given({ kind: 'extract', reason: body.reason }));
      await act(tx, caller, now, params.id, given({ kind: 'delete', reason: body.reason }));
    },
    'GET /occupations': ({ tx, caller, query, scope }) => listOccupations(tx, { scope, facts: caller.facts, silences }, query),
    'GET /occupations/{id}': ({ tx, caller, params, scope }) => oneOccupation(tx, { scope, facts: caller.facts, silences }, params.id),
    'POST /occupations/find': ({ tx, caller, body, scope }) =>
      findOccupations(tx, deps, { scope, facts: caller.facts, silences }, body.scan),
  });
};
