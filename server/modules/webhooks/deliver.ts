import { Webhook } from 'standardwebhooks';
import { type DeliveryError, retryAfterOf, webhookOutcome } from '@hatchway/domain/webhook.ts';
import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { WebhookDeliveriesTable } from '../../db/tables/messages.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Job } from '../../jobs/jobs.ts';
import { systemScope } from '../../scope.ts';
import { OutsideError } from '../../outside/fetch.ts';
import { eventsByIds } from '../history/queries.ts';
import { hasMissed, numberUpTo, sendMissed } from './missed-commands.ts';
import { isExpired, switchOff, switchOffExpired } from './switch-off-commands.ts';

type Row = Selectable<WebhookDeliveriesTable>;
type Ready = { row: Row; url: string; secret: string };
type Asked = Extract<Job, { name: 'webhook' }>;
type Answer = { status: number | null; error: DeliveryError | null; retryAfter: number | null; durationMs: number };

/** Longer than an attempt lasts: a process killed in between leaves it to be tried again, under the same id. */
const LEASE_MS = 60_000;

/** Nobody reads what the other side says beside its status. */
const BODY_BYTES = 4_096;

const mine = (tx: Tx, tenantId: string, id: string) =>
  tx.updateTable('webhook_deliveries').where('tenant_id', '=', tenantId).where('id', '=', id);

/** Written once, at the first attempt, so that every attempt says the same. Null: the event is gone. */
const payloadOf = async (tx: Tx, row: Row): Promise<Record<string, unknown> | null> => {
  if (row.event_id === null || 'type' in row.payload) return row.payload;
  const [found] = await eventsByIds(tx, row.tenant_id, [row.event_id]);
  return found ? { type: found.event.type, timestamp: found.event.at, data: found.event } : null;
};

/** What is kept where it cannot be told now; a test, and what is sent once more, are tried or lost. */
const isKept = (row: Row): boolean => row.event_id !== null && row.replay_of === null;

/** Whoever reads the log sees how it went. Once an attempt, when it is over. */
const tell = (tx: Tx, row: Row, now: string): Promise<void> =>
  record(tx, systemScope(row.tenant_id, now), [], [{ kind: 'deliveries', id: row.id, method: 'PUT' }]);

/**
 * Takes it for the length of an attempt. Null: not due, taken by another, nobody to send it to, or it waits among those that fail.
 * `expired`: left as it is, since the time of the key that made its webhook has passed.
 */
const begin = (deps: Deps, { tenantId, deliveryId: id, failing }: Asked): Promise<Ready | 'expired' | null> =>
  deps.db.tenant(tenantId, async (tx) => {
    const now = deps.now();
    const due = tx
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .where('next_at', '<=', now.toISOString());
    const asked = await due.executeTakeFirst();
    if (!asked) return null;
    // A webhook is locked before its deliveries.
    const webhook = await tx
      .selectFrom('webhooks')
      .select((eb) => [
        'url',
        'active',
        'secret_sealed',
        'failing_since',
        isExpired({ tenantId, now: now.toISOString() })(eb).as('expired'),
      ])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', asked.webhook_id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const row = await due.forUpdate().skipLocked().executeTakeFirst();
    if (!row) return null;
    if (webhook?.active && webhook.expired) return 'expired';
    const keep = async () => {
      await mine(tx, tenantId, id).set({ state: 'missed', next_at: null, updated_at: now.toISOString() }).execute();
      await tell(tx, row, now.toISOString());
      return null;
    };
    if (webhook && !webhook.active && isKept(row)) return keep();
    const secret = webhook?.active ? deps.seal.open(webhook.secret_sealed) : null;
    const payload = await payloadOf(tx, row);
    if (!webhook || secret === null || payload === null) {
      const error: DeliveryError = payload === null ? 'event-gone' : webhook?.active ? 'secret-unreadable' : 'switched-off';
      await mine(tx, tenantId, id).set({ state: 'failed', error, updated_at: now.toISOString() }).execute();
      await tell(tx, row, now.toISOString());
      if (webhook?.active && payload === null) await sendMissed(tx, deps, systemScope(tenantId, now.toISOString()), row.webhook_id);
      return null;
    }
    if (webhook.failing_since !== null && !failing) {
      await deps.jobs.enqueue(tx, { name: 'webhook', tenantId, deliveryId: id, failing: true }, { key: `${id} failing` });
      return null;
    }
    const isNew = isKept(row) && row.sequence === null;
    if (isNew && (await hasMissed(tx, tenantId, row.webhook_id))) {
      await keep();
      await sendMissed(tx, deps, systemScope(tenantId, now.toISOString()), row.webhook_id);
      return null;
    }
    if (isNew) await numberUpTo(tx, tenantId, row.webhook_id, id);
    const taken = await mine(tx, tenantId, id)
      .set((eb) => ({
        payload: jsonb(payload),
        attempts: eb('attempts', '+', 1),
        attempted_at: now.toISOString(),
        next_at: new Date(now.getTime() + LEASE_MS).toISOString(),
        updated_at: now.toISOString(),
      }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: taken, url: webhook.url, secret };
  });

const send = async (deps: Deps, { row, url, secret }: Ready): Promise<Answer> => {
  const body = JSON.stringify(row.payload);
  const at = deps.now();
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const answer = await deps.outside.fetch(url, {
      method: 'POST',
      body,
      cutAfter: BODY_BYTES,
      headers: {
        'content-type': 'application/json',
        'webhook-id': row.id,
        ...(row.sequence === null ? {} : { 'webhook-sequence': String(row.sequence) }),
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(row.id, at, body),
      },
    });
    const retryAfter = retryAfterOf(answer.headers['retry-after'], deps.now().getTime());
    return { status: answer.status, error: null, retryAfter, durationMs: took() };
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { status: null, error: error.reason, retryAfter: null, durationMs: took() };
  }
};

const settle = async (tx: Tx, deps: Deps, { row, url }: Ready, answer: Answer): Promise<void> => {
  const now = deps.now();
  const iso = now.toISOString();
  const ofWebhook = () => tx.updateTable('webhooks').where('tenant_id', '=', row.tenant_id).where('id', '=', row.webhook_id);
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['url', 'failing_since', 'active'])
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.webhook_id)
    // what is told meanwhile names it too, and must not wait
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!webhook) return; // deleted meanwhile, and its log with it
  const told = () => record(tx, systemScope(row.tenant_id, iso), [], [{ kind: 'webhooks', id: row.webhook_id, method: 'PUT' }]);
  const failingForS = webhook.failing_since === null ? 0 : (now.getTime() - Date.parse(webhook.failing_since)) / 1000;
  const outcome = webhookOutcome({ attempt: row.attempts, status: answer.status, retryAfter: answer.retryAfter, failingForS });
  // What an old address says is no word about the one that was given while it was asked.
  const disable = outcome.state === 'failed' && webhook.active && webhook.url === url ? outcome.disable : null;
  const isOff = disable !== null || !webhook.active;
  // The address that was given meanwhile has not heard it.
  const isMissed = (isOff || webhook.url !== url) && outcome.state !== 'delivered' && isKept(row);
  const at = outcome.state === 'again' && !isMissed ? new Date(now.getTime() + outcome.waitS * 1000).toISOString() : null;
  await mine(tx, row.tenant_id, row.id)
    .set({
      state: isMissed ? 'missed' : outcome.state === 'again' ? 'queued' : outcome.state,
      status: answer.status,
      error: answer.error,
      duration_ms: answer.durationMs,
      next_at: at,
      updated_at: iso,
    })
    .execute();
  await tell(tx, row, iso);
  if (at !== null)
    await deps.jobs.enqueue(
      tx,
      { name: 'webhook', tenantId: row.tenant_id, deliveryId: row.id, failing: true },
      { at, key: `${row.id}:${row.attempts}` },
    );
  if (at === null && webhook.active && disable === null) await sendMissed(tx, deps, systemScope(row.tenant_id, iso), row.webhook_id);
  if (webhook.url !== url) return;
  if (outcome.state === 'delivered') {
    const mended = webhook.failing_since !== null;
    await ofWebhook()
      .set({ delivered_at: iso, ...(mended ? { failing_since: null, updated_at: iso } : {}) })
      .execute();
    // Else whoever looks at it hears of the delivery itself.
    return mended ? told() : undefined;
  }
  if (webhook.failing_since === null) await ofWebhook().set({ failing_since: iso, updated_at: iso }).execute();
  if (disable !== null) await switchOff(tx, deps, systemScope(row.tenant_id, iso), (eb) => eb('id', '=', row.webhook_id), disable);
  else if (webhook.failing_since === null) await told();
};

/** The job `webhook`: one attempt at one delivery. Nothing is sent inside a transaction; whoever comes twice finds nothing due. */
export const deliverWebhook = async (deps: Deps, asked: Asked): Promise<void> => {
  const ready = await begin(deps, asked);
  // The sweep comes once a minute, and nothing may go out in between. By itself: a webhook is locked before its deliveries.
  if (ready === 'expired')
    return deps.db.tenant(asked.tenantId, (tx) => switchOffExpired(tx, deps, systemScope(asked.tenantId, deps.now().toISOString())));
  if (!ready) return deps.outbox.wake();
  const answer = await send(deps, ready);
  await deps.db.tenant(asked.tenantId, (tx) => settle(tx, deps, ready, answer));
  deps.outbox.wake();
};
