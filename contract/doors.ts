import { z } from 'zod';
import { code, id, idParams, text } from './common.ts';
import { locker } from './lockers.ts';
import { linkOpened, linkOpenErrors } from './pickup.ts';
import { route } from './route.ts';

const openErrors = [
  'out-of-service',
  'cabinet-offline',
  'no-answer',
  'door-refused',
  'door-tag-mismatch',
  'occupation-transition',
] as const;

export const doors = [
  route({
    method: 'POST',
    path: '/lockers/{id}/open',
    access: 'doors',
    summary: 'Open a door and wait for the controller’s word (7 s at most)',
    params: idParams,
    body: z.strictObject({
      doorTag: code(20),
      occupationId: id.optional(),
      reason: text(300).optional(),
      /**
       * Staff take the content of that occupation out: written down, and told to its receiver, once the door that opened for it has closed
       * again and its occupancy sensor senses nothing since, or somebody has said so; `end` ends it too; of `move` its receiver is told where it lies
       * once that is in another locker. Until then it is `takingOut`.
       */
      takeOut: z.enum(['keep', 'end', 'move']).optional(),
    }),
    response: locker,
    movesDoor: true,
    errors: [...openErrors, 'unknown-reference'],
  }),
  route({
    method: 'POST',
    path: '/open/door',
    access: 'doors',
    summary: 'Open a scanned door by its tag; with the token of an access link and no bearer, as that link may',
    body: z.strictObject({
      doorTag: code(20).optional(),
      occupationId: id.optional(),
      reason: text(300).optional(),
      token: z.string().min(1).max(200).optional(),
    }),
    secretIn: 'token',
    movesDoor: true,
    response: z.union([locker, linkOpened]),
    errors: ['not-found', ...openErrors, ...linkOpenErrors],
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}/lock',
    access: 'lock-control',
    summary: 'Lock a door, where the controller can',
    params: idParams,
    body: z.strictObject({}),
    response: locker,
    errors: ['cannot-lock', 'cabinet-offline', 'no-answer', 'door-refused'],
  }),
] as const;
