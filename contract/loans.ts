import { z } from 'zod';
import { actor, id, idParams, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

export const loan = z
  .object({
    id,
    tenantId: id,
    assetId: id.nullable(),
    occupationId: id,
    doorTag: z.string().describe('The locker that is kept for it while it is out'),
    borrower: z.object({ accountId: id.nullable(), name: z.string().nullable(), tlf: z.string().nullable(), email: z.string().nullable() }),
    outAt: time,
    dueAt: time,
    returnedAt: time.nullable(),
    conditionOut: z.string().nullable(),
    conditionIn: z.string().nullable(),
    endedBy: actor.nullable(),
    endReason: z.string().nullable().describe('returned, lost or returned-elsewhere; null while it is out'),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Loan' });
export type Loan = z.infer<typeof loan>;

export const loans = [
  route({
    method: 'GET',
    path: '/assets/{id}/loans',
    access: 'portal',
    summary: 'Who had an asset, newest first, as far as the caller may see',
    params: idParams,
    query: listQuery({ fields: { id: 'uuid', returnedAt: 'time', dueAt: 'time' }, sorts: ['createdAt'] }),
    response: z.array(loan),
  }),
] as const;
