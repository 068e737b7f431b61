import { sql } from 'kysely';
import { tellingOf, type ToolTelling } from '@hatchway/domain/asset-tool.ts';
import { isActive } from '@hatchway/domain/terms.ts';
import type { DomainEvent, Effect, Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { unknownReference } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { ToolPerson, ToolSaid } from '../../providers/asset-tool.ts';
import type { Scope } from '../../scope.ts';
import { insertRow, updateRow } from '../../rows.ts';
import { alertStaff } from '../messages/alert-commands.ts';
import type { OpenTool } from './tool-queries.ts';
import { placeOf } from './write-back-commands.ts';

/** As long as its calls may last, which are up to four of ten seconds, and more: what was sent before that was cut off, with the process that sent it. */
const LEASE_MS = 60_000;
/** Of one run; the rest is the next one's. */
const AT_ONCE = 20;
/** So many that got no answer: each may have cost ten seconds. */
const MOST_UNANSWERED = 2;
const OPEN = ['wanted', 'sent', 'unknown'] as const;

type Change = { before: Occupation; after: Occupation; events: readonly DomainEvent[]; effects: readonly Effect[] };

/** Who gets it: whom it is for, else the person who took it, by their account. */
const personOf = async (tx: Tx, { after, effects }: Change): Promise<ToolPerson | null> => {
  const loan = effects.find((effect) => effect.kind === 'open-loan');
  const receiver = loan?.receiver ?? after.receiver;
  if (receiver !== null) return { name: receiver.name, tlf: receiver.tlf, email: receiver.email };
  if (loan === undefined || loan.borrower.kind !== 'person' || loan.borrower.id === null) return null;
  const account = await tx.selectFrom('accounts').select(['name', 'tlf', 'email']).where('id', '=', loan.borrower.id).executeTakeFirst();
  return account ?? { name: loan.borrower.name, tlf: null, email: null };
};

const isMoment = (until: string | null | undefined): until is string =>
  until != null && until.length > 10 && !Number.isNaN(Date.parse(until));

/** A delivery is brought back only where it went out; what the tool refused to give out does not come back to it. */
const isTold = (telling: ToolTelling, { type }: Occupation, last: { kind: ToolTelling; state: string } | undefined): boolean => {
  if (telling === 'check-out') return last?.kind === 'check-out' && last.state !== 'refused';
  if (last === undefined) return type === 'delivery';
  return last.kind === 'check-in' || last.state === 'refused';
};

/**
 * What the tool is to be told of a thing of its own that was handed out, or came back; written with the change itself, and sent after it.
 * Answers to which tool anything is to be sent.
 */
export const tellTool = async (tx: Tx, scope: Scope, change: Change): Promise<string | null> => {
  const { after, effects } = change;
  const telling = after.assetId === null ? null : tellingOf(change);
  if (telling === null || after.assetId === null) return null;
  const { tenantId } = scope;
  const thing = await tx
    .selectFrom('tool_assets')
    .select('integration_id')
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', after.assetId)
    .executeTakeFirst();
  if (thing === undefined) return null;
  const last = await tx
    .selectFrom('tool_operations')
    .select(['kind', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', after.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (isTold(telling, after, last)) return null;
  const person = telling === 'check-out' ? await personOf(tx, change) : null;
  if (telling === 'check-out' && person === null) return null;
  const request =
    after.externalRef === null
      ? undefined
      : await tx
          .selectFrom('asset_requests')
          .select(['ref', 'until'])
          .where('tenant_id', '=', tenantId)
          .where('integration_id', '=', thing.integration_id)
          .where('ref', '=', after.externalRef)
          .executeTakeFirst();
  const loan = effects.find((effect) => effect.kind === 'open-loan');
  const back = effects.find((effect) => effect.kind === 'close-loan');
  await insertRow(tx, 'tool_operations', scope, newId(), {
    integration_id: thing.integration_id,
    asset_id: after.assetId,
    occupation_id: after.id,
    kind: telling,
    request_ref: telling === 'check-out' ? (request?.ref ?? null) : null,
    person: person === null ? null : jsonb(person),
    until: loan?.dueAt ?? (isMoment(request?.until) ? request.until : null),
    note: ['Hatchway', await placeOf(tx, after), back?.condition].filter(Boolean).join(': ').slice(0, 500),
  }).execute();
  await record(tx, scope, [], [{ kind: 'assets', id: after.assetId, method: 'PUT' }]);
  return thing.integration_id;
};

/**
 * The oldest of those that were tried least, for the length of a call: what is never answered holds nothing up but its own thing, of which the
 * second waits for the first. Null: none, or another process is at it.
 */
const take = (deps: Deps, { tenantId }: Scope, integrationId: string, tried: readonly string[]) =>
  deps.db.tenant(tenantId, async (tx) => {
    const now = deps.now();
    const row = await tx
      .selectFrom('tool_operations as q')
      .innerJoin('tool_assets as t', (join) => join.onRef('t.tenant_id', '=', 'q.tenant_id').onRef('t.asset_id', '=', 'q.asset_id'))
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('tool_operations as p')
            .select(['p.kind', 'p.person', 'p.request_ref'])
            .whereRef('p.tenant_id', '=', 'q.tenant_id')
            .whereRef('p.asset_id', '=', 'q.asset_id')
            .whereRef('p.id', '<', 'q.id')
            .orderBy('p.id', 'desc')
            .limit(1)
            .as('b'),
        (join) => join.onTrue(),
      )
      .select([
        'q.id',
        'q.kind',
        'q.state',
        'q.request_ref',
        'q.person',
        'q.until',
        'q.note',
        'q.updated_at',
        'q.attempts',
        'q.asset_id',
        'q.occupation_id',
      ])
      .select(['t.ref', 'b.kind as before_kind', 'b.person as before_person', 'b.request_ref as before_request'])
      .select(
        sql<boolean>`exists (select from tool_operations o where o.tenant_id = q.tenant_id and o.occupation_id = q.occupation_id
          and o.id < q.id and o.kind = 'check-out' and o.state = 'refused' and q.kind = 'check-in')`.as('is_moot'),
      )
      .where('q.tenant_id', '=', tenantId)
      .where('q.integration_id', '=', integrationId)
      .where('q.state', 'in', [...OPEN])
      .where(sql<boolean>`q.id <> all(${tried}::uuid[])`)
      .where(
        sql<boolean>`not exists (select from tool_operations o where o.tenant_id = q.tenant_id and o.asset_id = q.asset_id and o.id < q.id
          and o.state in ('wanted', 'sent', 'unknown'))`,
      )
      .orderBy('q.attempts')
      .orderBy('q.id')
      .limit(1)
      .forUpdate('q')
      .executeTakeFirst();
    if (!row || (row.state === 'sent' && now.getTime() - Date.parse(row.updated_at) < LEASE_MS)) return null;
    await updateRow(tx, 'tool_operations', tenantId, row.id)
      .set((eb) => ({ state: row.is_moot ? 'done' : 'sent', attempts: eb('attempts', '+', 1), updated_at: now.toISOString() }))
      .execute();
    return { ...row, attempts: row.attempts + 1 };
  });
type Step = NonNullable<Awaited<ReturnType<typeof take>>>;

/** The tool carries it out once a key, so what was perhaps carried out is sent again under the same one. */
const send = ({ tool }: OpenTool, step: Step): Promise<ToolSaid<null>> => {
  const common = { assetId: step.ref, note: step.note, key: step.id };
  if (step.kind === 'check-in' || step.person === null) {
    const { before_kind: last, before_person: person, before_request: requestId } = step;
    return tool.checkIn({ ...common, condition: null, from: last === 'check-out' && person !== null ? { person, requestId } : null });
  }
  return tool.checkOut({ ...common, requestId: step.request_ref, person: step.person, until: step.until });
};

const STATE = { ok: 'done', refused: 'refused', away: 'wanted', keys: 'wanted', unknown: 'unknown' } as const;

/** Who has a thing is known until it is back, so that it is not taken from the next one. */
const forgetHolders = (tx: Tx, { tenantId }: Scope, assetId: string, id: string, kind: ToolTelling) =>
  tx
    .updateTable('tool_operations')
    .set({ person: null })
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', assetId)
    .where('id', kind === 'check-in' ? '<=' : '<', id)
    .where('state', '=', 'done')
    .where('person', 'is not', null)
    .execute();

const noteTold = (deps: Deps, scope: Scope, step: Step, said: ToolSaid<null>): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const now = deps.now().toISOString();
    const sentBefore = step.state !== 'wanted';
    const noted = await updateRow(tx, 'tool_operations', scope.tenantId, step.id)
      .set({
        state: sentBefore && (said.kind === 'away' || said.kind === 'keys') ? 'unknown' : STATE[said.kind],
        error: said.kind === 'ok' ? null : said.error,
        updated_at: now,
      })
      // Another run is at it by now, and its answer is the later one.
      .where('attempts', '=', step.attempts)
      .returning('id')
      .executeTakeFirst();
    if (noted === undefined) return;
    if (said.kind === 'ok') await forgetHolders(tx, scope, step.asset_id, step.id, step.kind);
    await record(tx, scope, [], [{ kind: 'assets', id: step.asset_id, method: 'PUT' }]);
    if (said.kind !== 'refused') return;
    const { id, occupation_id: occupationId } = step;
    await alertStaff(tx, deps, { ...scope, now }, { event: 'tool-refused', cause: `staff-tool-refused:${id}`, occupationId });
  });

/** Tells the tool. What it refuses is over, and staff are told; where it is away, the rest waits. */
export const tellAll = async (deps: Deps, scope: Scope, open: OpenTool): Promise<ToolSaid<null>> => {
  const tried: string[] = [];
  let unanswered = 0;
  while (tried.length < AT_ONCE && unanswered < MOST_UNANSWERED) {
    const step = await take(deps, scope, open.integrationId, tried);
    if (step === null) break;
    tried.push(step.id);
    if (step.is_moot) continue;
    const said = await send(open, step);
    await noteTold(deps, scope, step, said);
    if (said.kind === 'away' || said.kind === 'keys') return said;
    unanswered += Number(said.kind === 'unknown');
  }
  return { kind: 'ok', value: null };
};

/** Whether a telling would be false by now: what was handed out has come back, or the thing was handed out or brought back anew. */
const isOver = async (tx: Tx, { tenantId }: Scope, id: string): Promise<boolean> => {
  const telling = await tx
    .selectFrom('tool_operations as q')
    .select(['q.kind', 'q.occupation_id'])
    .select(
      sql<boolean>`exists (select from tool_operations o where o.tenant_id = q.tenant_id and o.asset_id = q.asset_id and o.id > q.id)`.as(
        'is_old',
      ),
    )
    .where('q.tenant_id', '=', tenantId)
    .where('q.id', '=', id)
    .executeTakeFirst();
  if (telling === undefined || telling.is_old || telling.kind === 'check-in') return telling?.is_old ?? false;
  // Held, so that it does not come back in this very moment.
  const use = await tx
    .selectFrom('occupations as u')
    .select(['u.type', 'u.stage', 'u.end_reason'])
    .select(
      sql<boolean>`exists (select from loans n where n.tenant_id = u.tenant_id and n.occupation_id = u.id
        and (n.returned_at is null or n.end_reason = 'lost'))`.as('is_lent'),
    )
    .where('u.tenant_id', '=', tenantId)
    .where('u.id', '=', telling.occupation_id)
    .forShare('u')
    .executeTakeFirst();
  if (use === undefined) return true;
  return use.type === 'delivery' ? !isActive(use.stage) && use.end_reason !== 'taken' : !use.is_lent;
};

/** Somebody's word on what the tool refused: it is sent again while it is true, or they have seen to it there. Throws `unknown-reference` for one that it did not refuse. */
export const settleTelling = async (tx: Tx, scope: Scope, integrationId: string, id: string, act: 'again' | 'settled'): Promise<void> => {
  const isAgain = act === 'again' && !(await isOver(tx, scope, id));
  const row = await tx
    .updateTable('tool_operations')
    // Under another key: under the same one the tool would say again what it said.
    .set({ error: null, updated_at: scope.now, ...(isAgain ? { id: newId(), state: 'wanted' } : { state: 'done', person: null }) })
    .where('tenant_id', '=', scope.tenantId)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('state', '=', 'refused')
    .returning(['asset_id', 'kind'])
    .executeTakeFirstOrThrow(() => unknownReference('/telling'));
  if (!isAgain) await forgetHolders(tx, scope, row.asset_id, id, row.kind);
  await record(tx, scope, [], [{ kind: 'assets', id: row.asset_id, method: 'PUT' }]);
};
