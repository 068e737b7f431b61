import { sql } from 'kysely';
import { DAY } from '@hatchway/domain/deadlines.ts';
import { NOT_NEEDED, STAGES } from '@hatchway/domain/terms.ts';
import type { Deps } from '../../deps.ts';
import { stageNo } from '../../stages.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { attempt } from './commands.ts';
import { companyFacts } from './context-queries.ts';

/** All that a loan keeps of who had it, and of who brought it back with a link. */
const ERASE_LOAN = sql.raw(`borrower_account_id = null, borrower_name = null, borrower_tlf = null, borrower_email = null,
  condition_in = null, condition_out = null,
  ended_by = case when ended_by->>'kind' = 'person' and ended_by->>'id' is null then jsonb_set(ended_by, '{name}', '""') else ended_by end`);
/** All that a message keeps of where it went; a provider's error may repeat it. Our own word stays: what was not needed never failed. */
const ERASE_MESSAGE = sql`to_masked = '', to_sealed = ''::bytea, body_sealed = null, error = case when error = ${NOT_NEEDED} then error end`;

const ERASE_PAYMENT = sql.raw(`payer = '{}', details = '{}', key_hash = null, key_sealed = null, find_hash = null`);
/** Money that waits for somebody to give it back, or to capture it, is somebody's. */
const IS_SETTLED = sql.raw(`state in ('captured', 'cancelled', 'refunded')`);

/** What a person typed, and for whom staff acted, wherever the history keeps it. */
const TYPED = ['reason', 'note', 'condition', 'receiver'] as const;

/** Who acted, without the name of somebody who came with a link and has no account. */
const nameless = (actor: 'created_by' | 'opened_by') =>
  sql<never>`case when ${sql.ref(actor)}->>'kind' = 'person' and ${sql.ref(actor)}->>'id' is null
    then jsonb_set(${sql.ref(actor)}, '{name}', '""') else ${sql.ref(actor)} end`;

/**
 * Out of the daily lists, and nobody's any more: receiver, borrower, payer of what is settled, addresses of messages, names of those who came with a link,
 * and free texts are erased here, in its events and in what was asked of its door. Members' names stay: the company answers for what its people did.
 */
export const archive = (deps: Deps, scope: Scope, id: string): Promise<boolean> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    const tried = await attempt(tx, deps, scope, id, { kind: 'archive' }, { as: 'server' });
    if (!tried.ok) return false;
    await tx
      .updateTable('occupations')
      .set({ token_sealed: null, token_hash: null, ended_token_hash: null, code_sealed: null, code_hash: null, secrets_until: null })
      .set({ created_by: nameless('created_by'), opened_by: nameless('opened_by') })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
    await sql`update loans set ${ERASE_LOAN}, updated_at = ${now}
      where tenant_id = ${tenantId} and occupation_id = ${id} and returned_at is not null`.execute(tx);
    await sql`update payments set ${ERASE_PAYMENT}, updated_at = ${now}
      where tenant_id = ${tenantId} and occupation_id = ${id} and ${IS_SETTLED}`.execute(tx);
    await sql`update messages set ${ERASE_MESSAGE}, updated_at = ${now}
      where tenant_id = ${tenantId} and occupation_id = ${id}`.execute(tx);
    await sql`update events set data = data - ${[...TYPED]}::text[],
        actor_name = case when actor_kind = 'person' and actor_id is null then null else actor_name end
      where tenant_id = ${tenantId} and occupation_id = ${id}`.execute(tx);
    await sql`update lockers l set last_command = jsonb_set(l.last_command, '{by,name}', '""')
      from commands c where l.tenant_id = ${tenantId} and c.tenant_id = ${tenantId} and c.occupation_id = ${id}
        and l.id = c.locker_id and l.last_command->>'id' = c.id::text and c.actor->>'id' is null`.execute(tx);
    await sql`update commands set reason = null,
        actor = case when actor->>'id' is null then jsonb_set(actor, '{name}', '""') else actor end
      where tenant_id = ${tenantId} and occupation_id = ${id}`.execute(tx);
    return true;
  });

/** A cabinet's own events say by a word of ours why it went away. The index of migration 061 is made for this list. */
const OF_CABINETS = sql.raw(`('locker_online', 'locker_offline', 'locker_alarm')`);
/** Something that somebody typed, or the name of who came with a link. */
const TELLS = sql.raw(`(data ?| array['reason', 'note', 'condition', 'receiver']
  or (actor_kind = 'person' and actor_id is null and actor_name is not null))`);

/** What is lent, refilled and sold goes on after each visit, and ends perhaps never. The indexes of migration 033 are made for this list. */
const GOES_ON = sql.raw(`('lending', 'consumable', 'sale')`);
/** Who has it still is known for as long as they have it. */
const stillOut = (alias: string) => sql`exists (select from loans n where n.tenant_id = ${sql.ref(`${alias}.tenant_id`)}
  and n.occupation_id = ${sql.ref(`${alias}.occupation_id`)} and n.returned_at is null)`;

/**
 * People who left no ended occupation behind: who came with an access link, who brought back what goes on being lent, who bought of what is
 * refilled, whom the company wrote to about itself (colleagues, who was invited), and whoever is named in what was done at a door by
 * itself: opened by a link or by lock control, looked into. After the company's retention their names, numbers and addresses are forgotten,
 * and what was typed of them, counted from their visit.
 */
export const forgetVisitors = (deps: Deps, scope: Scope, before: string): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    await sql`update access_link_uses set name = null, updated_at = ${now}
      where tenant_id = ${tenantId} and name is not null and at <= ${before}`.execute(tx);
    await sql`update loans set ${ERASE_LOAN}, updated_at = ${now}
      where tenant_id = ${tenantId} and returned_at <= ${before}
        and (borrower_name is not null or borrower_tlf is not null or borrower_email is not null)`.execute(tx);
    const forgotten = sql`data = data - ${[...TYPED]}::text[],
        actor_name = case when actor_kind = 'person' and actor_id is null then null else actor_name end`;
    await sql`update events e set ${forgotten}
      where tenant_id = ${tenantId} and at <= ${before} and occupation_type in ${GOES_ON} and not ${stillOut('e')} and ${TELLS}`.execute(
      tx,
    );
    await sql`update events set ${forgotten}
      where tenant_id = ${tenantId} and at <= ${before} and occupation_type is null and type not in ${OF_CABINETS} and ${TELLS}`.execute(
      tx,
    );
    await sql`with old as (
        update commands c set actor = jsonb_set(actor, '{name}', '""'), reason = null
        where tenant_id = ${tenantId} and issued_at <= ${before} and actor->>'kind' = 'person' and actor->>'id' is null
          and actor->>'name' <> '' and not ${stillOut('c')}
        returning id, locker_id)
      update lockers l set last_command = jsonb_set(l.last_command, '{by,name}', '""')
        from old where l.tenant_id = ${tenantId} and l.id = old.locker_id and l.last_command->>'id' = old.id::text`.execute(tx);
    // Why staff opened a door stands here whoever they are. Of what is set aside or vacant it also says that it may have been
    // filled by hand, by a key: until that is settled it is kept.
    await sql`update commands c set reason = null
      where tenant_id = ${tenantId} and issued_at <= ${before} and reason is not null
        and not exists (select from occupations o where o.tenant_id = c.tenant_id and o.id = c.occupation_id
          and o.stage in (${stageNo('RESERVED')}, ${stageNo('VACANT')}))`.execute(tx);
    await sql`update messages m set ${ERASE_MESSAGE}, updated_at = ${now}
      where tenant_id = ${tenantId} and created_at <= ${before} and to_masked <> '' and state <> 'queued' and not ${stillOut('m')}
        and (occupation_id is null or exists (select from occupations o
          where o.tenant_id = m.tenant_id and o.id = m.occupation_id and o.type in ${GOES_ON}))`.execute(tx);
    await sql`update payments set ${ERASE_PAYMENT}, updated_at = ${now}
      where tenant_id = ${tenantId} and updated_at <= ${before} and (payer <> '{}' or details <> '{}') and ${IS_SETTLED}`.execute(tx);
    const { rows: gone } = await sql<{ id: string }>`delete from invitations
      where tenant_id = ${tenantId} and expires_at <= ${before} and updated_at <= ${before} returning id`.execute(tx);
    if (gone.length > 0)
      await record(
        tx,
        scope,
        [],
        gone.map(({ id }) => ({ kind: 'invitations', id, method: 'DELETE' }) as const),
      );
  });

/** What ended or was visited up to this moment has been kept for as long as the company wants. */
export const retainedUntil = (deps: Deps, { tenantId, now }: Scope): Promise<string> =>
  deps.db.tenant(tenantId, async (tx) => {
    const days = (await companyFacts(tx, tenantId)).settings.retentionDays ?? 90;
    return new Date(Date.parse(now) - days * DAY).toISOString();
  });

/** Ended ones that have been kept that long, the oldest first. */
export const retained = (deps: Deps, { tenantId }: Scope, before: string, atMost: number): Promise<string[]> =>
  deps.db.tenant(tenantId, async (tx) =>
    (
      await tx
        .selectFrom('occupations')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('stage', '=', STAGES.TERMINATED)
        .where('ended_at', '<=', before)
        .orderBy('ended_at')
        .limit(atMost)
        .execute()
    ).map(({ id }) => id),
  );
