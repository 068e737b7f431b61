import { sql } from 'kysely';
import type { SystemState } from '@hatchway/contract/system.ts';
import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';

type Channel = SystemState['mail'];
const SOON = '1 minute';

const channelOf = async (tx: Tx, { tenantId, now }: Scope, channel: 'mail' | 'sms', ready: boolean): Promise<Channel> => {
  const { rows } = await sql<Omit<Channel, 'ready'>>`
    select max(updated_at) filter (where state in ('accepted', 'delivered')) as "lastAcceptedAt",
      max(updated_at) filter (where state = 'failed' and error is distinct from ${NOT_NEEDED}) as "lastFailedAt",
      (array_agg(error order by updated_at desc) filter (where state = 'failed' and error is distinct from ${NOT_NEEDED}))[1] as "lastError",
      count(*) filter (where state = 'failed' and error is distinct from ${NOT_NEEDED}
        and updated_at > ${now}::timestamptz - interval '1 day')::int as "failedToday"
    from messages where tenant_id = ${tenantId} and channel = ${channel} and created_at > ${now}::timestamptz - interval '7 days'`.execute(
    tx,
  );
  const row = rows[0] ?? { lastAcceptedAt: null, lastFailedAt: null, lastError: null, failedToday: 0 };
  return { ready, ...row };
};

/** The queue's table knows no companies by itself: a job says whose it is. */
const jobsOf = async (tx: Tx, { tenantId, now }: Scope): Promise<SystemState['jobs']> => {
  const { rows } = await sql<SystemState['jobs']>`
    select count(*) filter (where state in ('created', 'retry', 'active'))::int as waiting,
      count(*) filter (where state in ('created', 'retry') and start_after < ${now}::timestamptz - interval '${sql.raw(SOON)}')::int as late,
      count(*) filter (where state = 'failed')::int as failed
    from jobs.job where state in ('created', 'retry', 'active', 'failed') and data->>'tenantId' = ${tenantId}`.execute(tx);
  return rows[0] ?? { waiting: 0, late: 0, failed: 0 };
};

const cabinetsOf = async (tx: Tx, tenantId: string): Promise<SystemState['cabinets']> => {
  const { rows } = await sql<SystemState['cabinets']>`
    select count(*)::int as total, count(*) filter (where connection = 'online')::int as online,
      count(*) filter (where credential_hash is null)::int as unpaired
    from cabinets where tenant_id = ${tenantId}`.execute(tx);
  return rows[0] ?? { total: 0, online: 0, unpaired: 0 };
};

/** That this can be answered at all says that the database is there. */
export const systemState = async (tx: Tx, deps: Deps, scope: Scope): Promise<SystemState> => ({
  at: scope.now,
  database: true,
  broker: deps.devices.connected,
  cabinets: await cabinetsOf(tx, scope.tenantId),
  jobs: await jobsOf(tx, scope),
  mail: await channelOf(tx, scope, 'mail', deps.config.smtpUrl !== null),
  sms: await channelOf(tx, scope, 'sms', deps.config.smsUrl !== null),
});
