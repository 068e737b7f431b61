import { sql } from 'kysely';
import { later } from '@hatchway/domain/deadlines.ts';
import { NOT_SEEN, STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../scope.ts';
import { ANSWER_DUE_MS, type OccupationRow } from './row-queries.ts';

/**
 * What is left open of the openings that were asked for since the locker was set aside or emptied, or since the claim began, and since
 * somebody last said what lies inside: the controller never answered, it cannot any more, or it let the lock go and no sensor saw the door
 * move. Staff who fill it and give a reason open by hand what does not open by itself, and no controller may hear of that.
 */
export const unansweredSince = async (tx: Tx, tenantId: string, row: OccupationRow): Promise<boolean> => {
  const since = {
    [STAGES.RESERVED]: row.reserved_from ?? row.created_at,
    [STAGES.CLAIMING]: row.claim_opened_at,
    [STAGES.VACANT]: row.stage_at,
  }[row.stage as number];
  if (since === undefined || since === null) return false;
  const byHand = row.stage !== STAGES.CLAIMING;
  const found = await tx
    .selectFrom('commands')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', row.locker_id)
    .where('occupation_id', '=', row.id)
    .where('op', '=', 'open')
    .where('issued_at', '>=', since)
    // Until it was answered, or could be no more, it may still have opened after that.
    .where(sql<boolean>`coalesce(answered_at, expires_at) >= ${row.said_at ?? since}`)
    .where('seen_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('outcome', 'is', null),
        eb('outcome', 'in', ['no-answer', 'opened']),
        eb('code', '=', NOT_SEEN),
        ...(byHand ? [eb('reason', 'is not', null)] : []),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/**
 * Until when the door that was asked to open for it may yet be seen to open; null where it is not. `unanswered`: as long as nothing was
 * heard of it. `unseen`: also where it is said to have opened, as long as no sensor saw it.
 */
export const openingUntil = async (
  tx: Tx,
  { tenantId, now }: Scope,
  row: OccupationRow,
  still: 'unanswered' | 'unseen',
): Promise<string | null> => {
  const asked = await tx
    .selectFrom('commands')
    .select('issued_at')
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', row.locker_id)
    .where('occupation_id', '=', row.id)
    .where('op', '=', 'open')
    .where('issued_at', '>', later(now, -ANSWER_DUE_MS))
    .where('seen_at', 'is', null)
    .where((eb) => eb.or([eb('outcome', 'is', null), ...(still === 'unseen' ? [eb('outcome', '=', 'opened')] : [])]))
    .orderBy('issued_at', 'desc')
    .executeTakeFirst();
  return asked === undefined ? null : later(asked.issued_at, ANSWER_DUE_MS);
};
