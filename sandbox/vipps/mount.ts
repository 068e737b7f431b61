import type { FastifyInstance } from 'fastify';
import { mountFaults } from '../mount-faults.ts';
import { mountPages } from '../pages.ts';
import { FAULTS } from './faults.ts';
import type { Ledger, Payment } from './ledger.ts';
import { newMerchant } from './merchant.ts';
import type { Vipps } from './provider.ts';
import { mountWire } from './wire.ts';

/** One payment as the sandbox's pages show it. `alone`: nothing else of the sandbox is here. */
const viewOf = (ledger: Ledger, payment: Payment, alone: boolean) => {
  const { token, state, expiresAt, authorized, cancelled, captured, refunded, events, order } = payment;
  return {
    token,
    state,
    expiresAt,
    authorized,
    cancelled,
    captured,
    refunded,
    events,
    merchant: ledger.merchants().find(({ msn }) => msn === payment.msn)?.name ?? payment.msn,
    reference: order.reference,
    currency: order.amount.currency,
    value: order.amount.value,
    description: order.paymentDescription,
    returnUrl: order.returnUrl,
    /** Where the payer's phone was asked without an address to follow. */
    phoneNumber: order.phoneNumber,
    alone,
  };
};
export type PaymentView = ReturnType<typeof viewOf>;

/** `address`: where the keys are taken. */
const booksOf = ({ ledger, hooks }: Vipps, address: string, alone: boolean) => ({
  payments: ledger.payments().map((payment) => viewOf(ledger, payment, alone)),
  merchants: ledger.merchants(),
  webhooks: ledger.webhooks().map(({ id, url, events }) => ({ id, url, events })),
  sent: hooks.sent(),
  waiting: hooks.waiting(),
  address,
  alone,
});
export type Books = ReturnType<typeof booksOf>;

type MountOptions = {
  /** How the browser reaches this app. */
  origin: string;
  /** Another than VIPPS_API; '' for none. */
  api?: string;
  alone?: boolean;
  /** Draws a QR code: an SVG text, or a PNG. */
  drawQr: (text: string, format: 'svg' | 'png', size: number) => Promise<string | Buffer>;
};

/** What stands before the provider's own paths beside a server: the address to call is the server's own and this. */
export const VIPPS_API = '/sandbox/vipps/api';
/** As often as time is looked at. */
const TICK_MS = 500;
const ACTS = ['approve', 'refuse', 'decline', 'expire'] as const;

/** The provider's wire, and at `/sandbox/vipps` its books and the payer's phone. For a demo on loopback; never mounted in production. */
export function mountVipps(app: FastifyInstance, vipps: Vipps, { origin, api = VIPPS_API, alone = false, drawQr }: MountOptions): void {
  const { ledger, hooks, faults } = vipps;
  const at = '/sandbox/vipps';
  const phoneOf = ({ token }: Payment) => `${origin}${at}/pay?token=${token}`;
  const pageOf = (payment: Payment): string | null => {
    const { userFlow, qrFormat } = payment.order;
    if (userFlow === 'PUSH_MESSAGE') return null;
    return userFlow === 'QR' && qrFormat.format !== 'TEXT/TARGETURL' ? `${origin}${at}/qr?token=${payment.token}` : phoneOf(payment);
  };
  mountWire(app, ledger, hooks, faults, { prefix: api, pageOf });
  mountPages(app, { '/vipps': 'vipps', '/vipps/pay': 'vipps-pay' });
  app.get(`${at}/`, (_request, reply) => reply.redirect(at, 308));

  app.get(`${at}/books`, (_request, reply) => {
    ledger.sweep();
    return reply.header('cache-control', 'no-store').send(booksOf(vipps, origin + api, alone));
  });
  app.post(`${at}/merchants`, (request, reply) => {
    const { name } = (request.body ?? {}) as { name?: unknown };
    if (typeof name !== 'string' || name === '') return reply.code(400).send({ error: 'name is needed' });
    const merchant = newMerchant(name);
    ledger.addMerchant(merchant);
    return reply.code(201).send(merchant);
  });

  app.get<{ Params: { token: string } }>(`${at}/payments/:token`, (request, reply) => {
    const payment = ledger.withToken(request.params.token);
    return payment
      ? reply.header('cache-control', 'no-store').send(viewOf(ledger, payment, alone))
      : reply.code(404).send({ error: 'not found' });
  });
  app.post<{ Params: { token: string } }>(`${at}/payments/:token`, (request, reply) => {
    const payment = ledger.withToken(request.params.token);
    if (!payment) return reply.code(404).send({ error: 'not found' });
    const act = ACTS.find((one) => one === (request.body as { act?: unknown } | null)?.act);
    if (!act) return reply.code(400).send({ error: `act: one of ${ACTS.join(', ')} is needed` });
    // what was done already is shown again, as a phone would
    return reply.code(ledger.act(payment, act) === null ? 200 : 409).send(viewOf(ledger, payment, alone));
  });
  app.get<{ Querystring: { token?: string } }>(`${at}/qr`, async (request, reply) => {
    const payment = ledger.withToken(request.query.token ?? '');
    if (!payment) return reply.code(404).send({ error: 'not found' });
    const { format, size } = payment.order.qrFormat;
    const kind = format === 'IMAGE/PNG' ? 'png' : 'svg';
    const image = await drawQr(phoneOf(payment), kind, size);
    return reply
      .type(kind === 'png' ? 'image/png' : 'image/svg+xml')
      .header('cache-control', 'no-store')
      .send(image);
  });

  mountFaults(app, at, FAULTS, faults, [ledger, hooks]);

  const clock = setInterval(() => {
    vipps.tick().catch((error: unknown) => app.log.error({ err: error }, 'sandbox: the payment provider failed'));
  }, TICK_MS);
  clock.unref();
  app.addHook('onClose', () => clearInterval(clock));
}
