import type { Deps } from '../../deps.ts';
import { CHANGES, type OutboxMessage } from '../../events/outbox.ts';

/** What was committed and is wanted outside is sent at once; what is lost on this way the sweep finds (sweep-commands.ts). */
export const relayWebhooks = (deps: Deps): void => {
  deps.bus.subscribe(CHANGES, (payload) => {
    const { tenantId, deliveries = [] } = payload as OutboxMessage;
    if (deliveries.length === 0) return;
    const ask = deps.db.tenant(tenantId, async (tx) => {
      for (const id of deliveries) await deps.jobs.enqueue(tx, { name: 'webhook', tenantId, deliveryId: id }, { key: id });
    });
    ask.catch((error: unknown) => deps.log.error({ err: error }, 'webhooks could not be asked for'));
  });
};
