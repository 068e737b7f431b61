import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { Site, sites } from '@hatchway/contract/cabinets.ts';
import type { PairingRequest, PairingAnswer } from '@hatchway/contract/devices.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newPairingCode, pair, showPairingCode, type PairingStore } from '../../devices/pairing.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import { absent, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { insertRow, updateRow } from '../../rows.ts';
import { sendAway } from './connection.ts';
import { mayStillPair, NO_CODE } from './pairing-commands.ts';
import { toSite } from './queries.ts';

type BodyOf<P extends string> = z.output<
  Extract<(typeof sites)[number], { method: 'POST'; path: P }> extends { body: infer B extends z.ZodType } ? B : never
>;

export const siteFields = (input: BodyOf<'/sites'>) => ({
  name: input.name,
  address: input.address,
  lat: input.lat,
  lng: input.lng,
  opening_hours: input.openingHours,
  ...(input.hours && { hours: jsonb(input.hours) }),
  ...(input.closedDays && { closed_days: jsonb(input.closedDays) }),
  tlf: input.tlf,
});

/** Throws through `sites_name` (name-taken). */
export const createSite = async (tx: Tx, scope: Scope, input: BodyOf<'/sites'>): Promise<Site> => {
  const site = toSite(await insertRow(tx, 'sites', scope, newId(), siteFields(input)).returningAll().executeTakeFirstOrThrow());
  await record(tx, scope, [], [{ kind: 'sites', id: site.id, method: 'POST' }]);
  return site;
};

const NUMBER_MOST = 999_999;
/** How many of the numbers after a company's last one are tried before others are drawn: another company may have begun right behind it. */
const NEXT = 10;
/** What is drawn has four digits at first, then five, then six: short to type for as long as they are not crowded. */
const DRAWN = [4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6] as const;

/** A company's cabinets follow one another; where the first one begins is drawn. */
const numbersFor = async (tx: Tx, tenantId: string): Promise<number[]> => {
  const own = await tx
    .selectFrom('cabinets')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  const next = own?.last ? Array.from({ length: NEXT }, (_, at) => own.last + 1 + at).filter((one) => one <= NUMBER_MOST) : [];
  return [...next, ...DRAWN.map((digits) => randomInt(10 ** (digits - 1), 10 ** digits))];
};

/**
 * What stands on cabinets is one numbering for all companies: a person at a wall types it without knowing whose it is. It tells nobody how
 * many cabinets others have, and what one company chose leaves no other without a number.
 */
export const takeNumber = async (tx: Tx, scope: Scope, cabinetId: string, wanted: number | undefined): Promise<number> => {
  for (const number of wanted === undefined ? await numbersFor(tx, scope.tenantId) : [wanted]) {
    const taken = await tx
      .insertInto('public_refs')
      .values({ kind: 'cabinet-number', ref: String(number), tenant_id: scope.tenantId, target_id: cabinetId, created_at: scope.now })
      .onConflict((conflict) => conflict.columns(['kind', 'ref']).doNothing())
      .returning('ref')
      .executeTakeFirst();
    if (taken) return number;
    if (wanted !== undefined)
      throw new Problem('name-taken', 'Another cabinet has this number', { errors: [{ pointer: '/number', detail: 'taken' }] });
  }
  throw new Problem('unavailable', undefined, { retryAfter: 1 });
};

/** A new code takes an older one's place. It is kept as its hash, and found by it before any company is known. */
export const givePairingCode = async (tx: Tx, scope: Scope, cabinetId: string): Promise<{ code: string; expiresAt: string }> => {
  const { code, codeHash, expiresAt } = newPairingCode(new Date(scope.now));
  await updateRow(tx, 'cabinets', scope.tenantId, cabinetId)
    .set({
      pairing_hash: Buffer.from(codeHash, 'hex'),
      pairing_expires_at: expiresAt.toISOString(),
      pairing_by: jsonb(scope.actor),
      updated_at: scope.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow(absent);
  await tx
    .deleteFrom('public_refs')
    .where('tenant_id', '=', scope.tenantId)
    .where('kind', '=', 'pairing')
    .where('target_id', '=', cabinetId)
    .execute();
  await tx
    .insertInto('public_refs')
    .values({ kind: 'pairing', ref: codeHash, tenant_id: scope.tenantId, target_id: cabinetId, created_at: scope.now })
    .execute();
  await record(tx, scope, [], [{ kind: 'cabinets', id: cabinetId, method: 'PUT' }]);
  return { code: showPairingCode(code), expiresAt: expiresAt.toISOString() };
};

/** So is a company that is being deleted. */
const isSuspended = async (tx: Tx, tenantId: string): Promise<boolean> => {
  const standing = tx.selectFrom('companies').select('id').where('id', '=', tenantId).where('suspended_at', 'is', null);
  return (await standing.executeTakeFirst()) === undefined;
};

/**
 * A controller trades its code for a credential. Throws Problem `gone` for a code that is unknown, spent or expired, or whose giver may
 * not pair any more, and `suspended`.
 */
export const pairController = async (deps: Deps, request: PairingRequest, now: string): Promise<PairingAnswer> => {
  const store: PairingStore = {
    trade: async (codeHash, { passwordHash, fw, pairedAt }) => {
      const ref = await deps.db.open((tx) =>
        tx
          .selectFrom('public_refs')
          .select(['tenant_id', 'target_id'])
          .where('kind', '=', 'pairing')
          .where('ref', '=', codeHash)
          .executeTakeFirst(),
      );
      if (!ref) return null;
      const { tenant_id: tenantId } = ref;
      return deps.db.tenant(tenantId, async (tx) => {
        // Held before its giver's right is asked: of two presses one finds nothing, and whoever takes the right away comes before or after.
        const open = await tx
          .selectFrom('cabinets')
          .select('pairing_by')
          .where('tenant_id', '=', tenantId)
          .where('id', '=', ref.target_id)
          .where('pairing_hash', '=', Buffer.from(codeHash, 'hex'))
          .where('pairing_expires_at', '>', now)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (!open || !(await mayStillPair(tx, { tenantId, now }, ref.target_id, open.pairing_by))) return null;
        // The code is not spent by it: within its time it pairs once the company goes on.
        if (await isSuspended(tx, tenantId)) throw new Problem('suspended');
        const cabinet = await updateRow(tx, 'cabinets', tenantId, ref.target_id)
          .set({
            ...NO_CODE,
            credential_hash: Buffer.from(passwordHash, 'hex'),
            firmware: fw,
            paired_at: pairedAt.toISOString(),
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await tx
          .deleteFrom('public_refs')
          .where('tenant_id', '=', tenantId)
          .where('kind', '=', 'pairing')
          .where('ref', '=', codeHash)
          .execute();
        const scope: Scope = { tenantId, now, actor: { kind: 'device', id: cabinet.id, name: 'Controller' } };
        await sendAway(tx, scope, cabinet, 'paired-anew');
        await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
        return { tenantId, controllerId: cabinet.id };
      });
    },
  };
  const answer = await pair(request, store, deps.devices.mqttUrl, new Date(now));
  if (!answer) throw new Problem('gone', 'The pairing code is unknown, spent or expired');
  deps.devices.kick(answer.controllerId);
  deps.outbox.wake();
  return answer;
};
