import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sites } from '@hatchway/contract/cabinets.ts';
import { mayBuildAnywhere } from '@hatchway/domain/access.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { Problem } from '../../http/problem.ts';
import { giveBack, limited } from '../../http/rate-limit.ts';
import { serve } from '../../http/serve.ts';
import { wall } from '../lockers/queries.ts';
import {
  addLocker,
  changeCabinet,
  changeLocker,
  changeSite,
  createCabinet,
  deleteCabinet,
  deleteSite,
  liftKeypad,
  removeLocker,
  unpair,
} from './build-commands.ts';
import { createSite, givePairingCode, pairController } from './commands.ts';
import { mayPair } from './pairing-commands.ts';
import { listCabinets, listSites, oneCabinet } from './queries.ts';

/** A new site or cabinet names no locker yet: a scope on some lockers is not enough. */
const buildsAnywhere = (caller: Caller): void => {
  if (!mayBuildAnywhere(caller.facts)) throw new Problem('forbidden');
};

export const cabinetModule = (app: FastifyInstance, deps: Deps): void => {
  /** Asked when the wall is committed; a cabinet that is away says its doors by itself when it comes back. */
  const askDoors = (tenantId: string, controllerId: string) =>
    void deps.devices.doors.status({ tenantId, controllerId, commandId: randomUUID() });
  serve(app, deps, sites, {
    'GET /sites': ({ tx, caller, query }) => listSites(tx, caller.tenantId, caller.facts, query),
    'POST /sites': ({ tx, caller, body, scope }) => {
      buildsAnywhere(caller);
      return createSite(tx, scope, body);
    },
    'PUT /sites/{id}': ({ tx, caller, params, body, scope }) => changeSite(tx, scope, caller.facts, params.id, body),
    'DELETE /sites/{id}': ({ tx, caller, params, scope }) => deleteSite(tx, scope, caller.facts, params.id),
    'GET /cabinets': ({ tx, caller, query }) => listCabinets(tx, caller.tenantId, caller.facts, query),
    'GET /cabinets/{id}': ({ tx, caller, params }) => oneCabinet(tx, caller.tenantId, caller.facts, params.id),
    'GET /cabinets/{id}/lockers': async ({ tx, caller, params }) => {
      await oneCabinet(tx, caller.tenantId, caller.facts, params.id);
      return wall(tx, caller.tenantId, caller.facts, params.id);
    },
    'POST /cabinets': async ({ tx, caller, body, scope }) => {
      buildsAnywhere(caller);
      return createCabinet(tx, scope, caller.facts, body);
    },
    'PUT /cabinets/{id}': async ({ tx, caller, params, body, scope, after }) => {
      const { row, ask } = await changeCabinet(tx, scope, caller.facts, params.id, body);
      if (ask) after(() => askDoors(caller.tenantId, row.id));
      return row;
    },
    'DELETE /cabinets/{id}': async ({ tx, caller, params, scope, after }) => {
      await deleteCabinet(tx, scope, caller.facts, params.id);
      after(() => deps.devices.kick(params.id));
    },
    'POST /lockers': async ({ tx, caller, body, scope, after }) => {
      buildsAnywhere(caller);
      const { row, ask } = await addLocker(tx, scope, caller.facts, body);
      if (ask) after(() => askDoors(caller.tenantId, row.cabinetId));
      return row;
    },
    'PUT /lockers/{id}': async ({ tx, caller, params, body, scope, after }) => {
      const { row, ask } = await changeLocker(tx, scope, caller.facts, params.id, body);
      if (ask) after(() => askDoors(caller.tenantId, row.cabinetId));
      return row;
    },
    'DELETE /lockers/{id}': ({ tx, caller, params, scope }) => removeLocker(tx, scope, caller.facts, params.id),
    'DELETE /cabinets/{id}/pair': async ({ tx, caller, params, scope, after }) => {
      const row = await unpair(tx, scope, caller.facts, params.id);
      after(() => deps.devices.kick(params.id));
      return row;
    },
    'POST /cabinets/{id}/keypad': ({ tx, caller, params, scope }) => liftKeypad(tx, scope, caller.facts, params.id),
    'POST /cabinets/{id}/pair': async ({ tx, caller, params, scope }) => {
      await oneCabinet(tx, caller.tenantId, caller.facts, params.id);
      if (!(await mayPair(tx, caller.tenantId, params.id, caller.facts))) throw new Problem('forbidden');
      return givePairingCode(tx, scope, params.id);
    },
    'POST /devices/pair': {
      outside: async ({ body, now, address }) => {
        // 39 bits for ten minutes: guessing is bounded per address and in all. A right one was no guess: a whole hall is paired from one address.
        const limits = [
          { bucket: `pair:${address}`, most: 20, seconds: 60 },
          { bucket: 'pair', most: 600, seconds: 60 },
        ];
        for (const limit of limits) await deps.db.open((tx) => limited(tx, limit, now));
        const answer = await pairController(deps, body, now);
        for (const limit of limits) await deps.db.open((tx) => giveBack(tx, limit, now));
        return answer;
      },
    },
  });
};
