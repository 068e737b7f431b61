import type { FastifyInstance } from 'fastify';
import { doors } from '@hatchway/contract/doors.ts';
import type { Locker } from '@hatchway/contract/lockers.ts';
import { mayActOnOccupation, mayOpenDoor, maySeeLocker, mayUseOnLocker, type Named } from '@hatchway/domain/access.ts';
import { sameTag } from '@hatchway/domain/codes.ts';
import { doorMayOpen } from '@hatchway/domain/doors.ts';
import { mayBeTakenOut } from '@hatchway/domain/lifecycle.ts';
import { stageName, type CommandOutcome } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, malformedAt, Problem, unknownReference } from '../../http/problem.ts';
import { serve, type Again } from '../../http/serve.ts';
import { systemScope } from '../../scope.ts';
import { isShutOut, lockDoor, openDoor, throwUnlessMoved } from '../lockers/door-commands.ts';
import { oneLocker } from '../lockers/queries.ts';
import { attempt, load, problemOfRefusal } from '../occupations/commands.ts';
import { lockOccupation } from '../occupations/row-queries.ts';
import { openByLink } from '../pickup/link-commands.ts';

type Opening = {
  doorTag: string;
  occupationId?: string | undefined;
  reason?: string | undefined;
  takeOut?: 'keep' | 'end' | 'move' | undefined;
};

/** Lock control on this very locker: a role, or the scope manage on it. */
const controls = (caller: Caller, lockerId: string): void => {
  if (!mayUseOnLocker('lock-control', lockerId, caller.facts)) throw new Problem('forbidden');
};

/** The right that the door is asked by, to be asked again once its locker is held. Throws Problem `forbidden`. */
type Right = (caller: Caller) => void;

/** Whoever may act on it, in a stage out of which content is taken: the door opens for that, and the stage changes once it has closed again. */
const rightToTakeOut = (caller: Caller, occupation: Named): Right => {
  const right: Right = ({ facts }) => {
    if (!mayActOnOccupation(occupation, facts)) throw new Problem('forbidden');
  };
  right(caller);
  if (mayBeTakenOut(occupation)) return right;
  throw problemOfRefusal({ code: 'occupation-transition', stage: stageName(occupation.stage), action: 'extract' });
};

const rightToOpen = async (tx: Tx, caller: Caller, locker: Locker, body: Opening): Promise<Right> => {
  if (sameTag(locker.doorTag) !== sameTag(body.doorTag))
    throw new Problem('door-tag-mismatch', undefined, { errors: [{ pointer: '/doorTag', detail: 'another door' }] });
  if (body.occupationId === undefined) {
    if (body.takeOut !== undefined) throw malformedAt('/occupationId', 'needed to take something out');
    controls(caller, locker.id);
    return (again) => controls(again, locker.id);
  }
  const named = await tx
    .selectFrom('occupations')
    .select(['id', 'type', 'stage', 'locker_id'])
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', body.occupationId)
    .executeTakeFirst();
  if (!named || named.locker_id !== locker.id) throw unknownReference('/occupationId');
  const occupation = { type: named.type, lockerId: locker.id, stage: named.stage };
  if (body.takeOut !== undefined) return rightToTakeOut(caller, occupation);
  // Acting on it is not enough where its stage keeps the door shut; lock control opens without naming it.
  if (mayActOnOccupation(occupation, caller.facts) && !doorMayOpen(occupation)) {
    throw new Problem('occupation-transition', `The door stays shut in ${stageName(named.stage)}`, {
      data: { stage: stageName(named.stage), action: 'open' },
    });
  }
  const right: Right = ({ facts }) => {
    if (!mayOpenDoor(locker.id, occupation, facts)) throw new Problem('forbidden');
  };
  right(caller);
  return right;
};

/**
 * Let in, but the door did not open: the claim has failed. Theirs alone who asked: somebody else who was let in, its receiver above all,
 * keeps their claim. Refused where nothing was claimed, or the door was seen open after all.
 */
const letGo = async (deps: Deps, { tenantId, actor }: Caller, occupationId: string, outcome: CommandOutcome): Promise<void> => {
  const why = outcome === 'no-answer' ? 'no-answer' : 'refused';
  const scope = systemScope(tenantId, deps.now().toISOString());
  await deps.db.tenant(tenantId, async (tx) => {
    await lockOccupation(tx, tenantId, occupationId);
    const { claimedBy } = await load(tx, tenantId, occupationId);
    if (claimedBy === null || claimedBy.kind !== actor.kind || claimedBy.id !== actor.id) return;
    await attempt(tx, deps, scope, occupationId, { kind: 'claim-failed', why }, { as: 'server' });
  });
  deps.outbox.wake();
};

/** `again`: a controller takes seconds to answer, and a right that went meanwhile neither opens nor reads. */
type Asking = { caller: Caller; again: Again; now: string };

const lockerNow = async (tx: Tx, again: Again, lockerId: string): Promise<Locker> => {
  const { tenantId, facts } = await again(tx);
  return oneLocker(tx, tenantId, facts, lockerId);
};

const opened = async (deps: Deps, { caller, again, now }: Asking, lockerId: string, body: Opening): Promise<Locker> => {
  const { db } = deps;
  const right = await db.tenant(caller.tenantId, async (tx) =>
    rightToOpen(tx, caller, await oneLocker(tx, caller.tenantId, caller.facts, lockerId), body),
  );
  const answer = await openDoor(deps, scopeOf(caller, now), {
    lockerId,
    mayStill: async (tx) => right(await again(tx, 'rights')),
    occupationId: body.occupationId ?? null,
    reason: body.reason ?? null,
    takeOut: body.takeOut,
  }).catch(async (error: unknown) => {
    if (body.occupationId !== undefined && isShutOut(error)) await letGo(deps, caller, body.occupationId, 'refused');
    throw error;
  });
  if (answer.outcome !== 'opened' && body.occupationId !== undefined) await letGo(deps, caller, body.occupationId, answer.outcome);
  throwUnlessMoved(answer);
  return db.tenant(caller.tenantId, (tx) => lockerNow(tx, again, lockerId));
};

/** Doors that somebody asks to be moved. They stand above occupations and links: what lies behind a door decides who may open it. */
export const doorModule = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps;
  serve(app, deps, doors, {
    'POST /lockers/{id}/open': { outside: ({ caller, again, params, body, now }) => opened(deps, { caller, again, now }, params.id, body) },
    'POST /open/door': {
      outside: async ({ caller, again, body, address, now, headers }) => {
        const { doorTag, token } = body;
        if (token !== undefined) return openByLink(deps, { token, doorTag }, { address, now, header: headers['idempotency-key'] });
        if (caller === undefined) throw new Problem('unauthenticated');
        if (doorTag === undefined) throw malformedAt('/doorTag', 'is missing');
        const found = await db.tenant(caller.tenantId, (tx) =>
          tx
            .selectFrom('lockers')
            .select('id')
            .where('tenant_id', '=', caller.tenantId)
            .where('door_tag', 'in', [doorTag, sameTag(doorTag)])
            .executeTakeFirst(),
        );
        if (!found || !maySeeLocker(found.id, caller.facts)) throw absent();
        return opened(deps, { caller, again, now }, found.id, { ...body, doorTag });
      },
    },
    'PUT /lockers/{id}/lock': {
      outside: async ({ caller, again, params: { id }, scope }) => {
        await db.tenant(caller.tenantId, (tx) => oneLocker(tx, caller.tenantId, caller.facts, id));
        controls(caller, id);
        const mayStill = async (tx: Tx) => controls(await again(tx, 'rights'), id);
        throwUnlessMoved(await lockDoor(deps, scope, { lockerId: id, mayStill }));
        return db.tenant(caller.tenantId, (tx) => lockerNow(tx, again, id));
      },
    },
  });
};
