import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Faults } from '../faults.ts';
import { createListeners } from '../listeners.ts';
import { post } from '../loopback.ts';
import type { FaultKind } from './faults.ts';
import type { Ledger, Payment, PaymentEvent, Webhook } from './ledger.ts';

/**
 * The headers that show a webhook to be the provider's. The key is the text of the secret as it was given, not what it decodes to:
 * that alone reproduces the sample at developer.vippsmobilepay.com, docs/APIs/webhooks-api/request-authentication.
 */
export function signatureOf(secret: string, url: URL, body: string, date: string): Record<string, string> {
  const hash = createHash('sha256').update(body).digest('base64');
  const text = `POST\n${url.pathname}${url.search}\n${date};${url.host};${hash}`;
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  return {
    'x-ms-date': date,
    'x-ms-content-sha256': hash,
    authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  };
}

/** What is sent to one webhook, and when. One that is `free` lets those behind it pass. */
type Delivery = {
  webhook: Webhook;
  event: PaymentEvent;
  body: string;
  since: number;
  due: number;
  tries: number;
  free: boolean;
  busy: boolean;
};
export type Sent = { at: string; webhookId: string; reference: string; name: string; status: number | null };

const DAY = 24 * 60 * 60_000;
const GIVE_UP = 7 * DAY;
/** The provider doubles its waits and names no figures; these are short, since somebody looks on. */
const waitAfter = (tries: number): number => Math.min(1000 * 2 ** (tries - 1), DAY / 4);
const SHOWN = 200;

export type Hooks = ReturnType<typeof createHooks>;

/** Tells the registered webhooks what happens: in order for each payment, again until they say 2xx, for a week. Calls nobody but this machine. */
export function createHooks(ledger: Ledger, faults: Faults<FaultKind>) {
  let waiting: Delivery[] = [];
  const sent: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  const { on, tell } = createListeners();

  const send = ({ webhook, body, event }: Delivery): Promise<number | null> => {
    const url = new URL(webhook.url);
    const lies = faults.take(['hook-lying'], event.reference) !== null;
    const secret = lies ? randomBytes(32).toString('base64') : webhook.secret;
    const headers = signatureOf(secret, url, body, new Date(ledger.now()).toUTCString());
    return post(url.href, { 'content-type': 'application/json', ...headers }, body, AbortSignal.timeout(10_000));
  };

  const deliver = async (delivery: Delivery): Promise<void> => {
    delivery.busy = true;
    const status = await send(delivery);
    const { webhook, event } = delivery;
    sent.unshift({ at: new Date(ledger.now()).toISOString(), webhookId: webhook.id, reference: event.reference, name: event.name, status });
    sent.length = Math.min(sent.length, SHOWN);
    delivery.busy = false;
    delivery.tries += 1;
    delivery.due = ledger.now() + waitAfter(delivery.tries);
    const taken = status !== null && status >= 200 && status < 300;
    if (taken || ledger.now() - delivery.since > GIVE_UP) waiting = waiting.filter((one) => one !== delivery);
    tell();
    pump();
  };

  /** Sends what is due and has nothing of the same payment before it. */
  function pump(): void {
    const held = new Set<string>();
    for (const delivery of waiting) {
      const line = `${delivery.webhook.id} ${delivery.event.reference}`;
      if (!held.has(line) && !delivery.busy && delivery.due <= ledger.now()) {
        const going = deliver(delivery).finally(() => underWay.delete(going));
        underWay.add(going);
      }
      if (!delivery.free) held.add(line);
    }
  }

  ledger.on((payment: Payment, event: PaymentEvent) => {
    const type = `epayments.payment.${event.name.toLowerCase()}.v1`;
    for (const webhook of ledger.webhooks().filter(({ msn, events }) => msn === payment.msn && events.includes(type))) {
      if (faults.take(['hook-none'], event.reference)) continue;
      const late = faults.take(['hook-late', 'hook-out-of-order'], event.reference);
      const now = ledger.now();
      const body = JSON.stringify({ msn: payment.msn, ...event });
      const one = {
        webhook,
        event,
        body,
        since: now,
        due: now + (late?.ms ?? 0),
        tries: 0,
        free: late?.kind === 'hook-out-of-order',
        busy: false,
      };
      waiting.push(one, ...(faults.take(['hook-doubled'], event.reference) ? [{ ...one }] : []));
    }
    pump();
  });

  return {
    sent: (): readonly Sent[] => sent,
    waiting: (): number => waiting.length,
    /** Whoever is not registered any more is told nothing. */
    forget: (id: string) => {
      waiting = waiting.filter(({ webhook }) => webhook.id !== id);
    },
    /** Sends what is due, and answers once that was tried. */
    tick: async (): Promise<void> => {
      pump();
      while (underWay.size > 0) await Promise.all(underWay);
    },
    on,
  };
}
