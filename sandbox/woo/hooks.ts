import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Faults } from '../faults.ts';
import { createListeners } from '../listeners.ts';
import { post } from '../loopback.ts';
import type { FaultKind } from './faults.ts';
import type { Order, Store, Topic, Webhook } from './store.ts';
import { orderView } from './view.ts';

export type Sent = { at: string; webhookId: number; topic: string; number: string; status: number | null };

const SHOWN = 200;
/** So many in a row are borne; the next one switches the webhook off: class-wc-webhook.php, failed_delivery. */
const FAILURES = 5;
const AGENT = 'WooCommerce/9.9.5 Hookshot (WordPress/6.8)';

/** Base64 of HMAC-SHA256 over the bytes of the body, by the text of the secret. */
export const signatureOf = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('base64');

export type Hooks = ReturnType<typeof createHooks>;

/**
 * Tells the registered webhooks what happens, each once: the shop tries nothing again. Calls nobody but this machine. `address`: where the
 * shop stands, once that is known.
 */
export function createHooks(store: Store, faults: Faults<FaultKind>) {
  const sent: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  const { on, tell } = createListeners();
  const stopped = new AbortController();
  let address = '';

  const send = (url: string, headers: Record<string, string>, body: string): Promise<number | null> =>
    post(url, { 'user-agent': AGENT, ...headers }, body, AbortSignal.any([AbortSignal.timeout(60_000), stopped.signal]));
  const note = (one: Omit<Sent, 'at'>) => {
    sent.unshift({ at: new Date(store.now()).toISOString(), ...one });
    sent.length = Math.min(sent.length, SHOWN);
    tell();
  };

  const deliver = async (webhook: Webhook, topic: Topic, number: string, body: string): Promise<void> => {
    const [resource = '', event = ''] = topic.split('.');
    const secret = faults.take(['hook-lying'], number) ? randomBytes(25).toString('hex') : webhook.secret;
    const status = await send(
      webhook.deliveryUrl,
      {
        'content-type': 'application/json',
        'x-wc-webhook-source': `${address}/`,
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-resource': resource,
        'x-wc-webhook-event': event,
        'x-wc-webhook-signature': signatureOf(secret, body),
        'x-wc-webhook-id': String(webhook.id),
        'x-wc-webhook-delivery-id': randomBytes(16).toString('hex'),
      },
      body,
    );
    note({ webhookId: webhook.id, topic, number, status });
    const now = store.webhooks().find(({ id }) => id === webhook.id);
    if (!now) return;
    const taken = status !== null && status >= 200 && status < 303;
    if (taken && now.failures > 0) store.setWebhook({ ...now, failures: 0 });
    if (!taken) store.setWebhook(now.failures > FAILURES - 1 ? { ...now, status: 'disabled' } : { ...now, failures: now.failures + 1 });
  };
  const start = (run: () => Promise<void>) => {
    const going = run().finally(() => underWay.delete(going));
    underWay.add(going);
  };

  store.on((topic: Topic | null, order: Order | null) => {
    if (topic === null || order === null) return;
    // As it was then, however late it comes.
    const body = JSON.stringify(topic === 'order.deleted' ? { id: order.id } : orderView(order, address));
    for (const webhook of store.webhooks().filter((one) => one.topic === topic && one.status === 'active')) {
      if (faults.take(['hook-none'], order.number)) continue;
      const late = faults.take(['hook-late'], order.number);
      const times = faults.take(['hook-doubled'], order.number) ? 2 : 1;
      start(async () => {
        if (late) await wait(late.ms, undefined, { signal: stopped.signal }).catch(() => {});
        if (stopped.signal.aborted) return;
        for (let n = 0; n < times; n++) await deliver(webhook, topic, order.number, body);
      });
    }
  });

  return {
    at: (where: string) => {
      address = where;
    },
    sent: (): readonly Sent[] => sent,
    /** The first word to a new webhook: unsigned, and a form. */
    ping: async (webhook: Webhook): Promise<void> => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const status = await send(webhook.deliveryUrl, form, `webhook_id=${webhook.id}`);
      note({ webhookId: webhook.id, topic: 'ping', number: '', status });
    },
    /** Answers once all that is on its way has come, or has not. */
    settled: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop: () => stopped.abort(),
    on,
  };
}
