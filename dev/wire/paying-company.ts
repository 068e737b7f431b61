import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { newMerchant, type Merchant } from '@hatchway/sandbox/vipps/merchant.ts';
import { createVipps } from '@hatchway/sandbox/vipps/provider.ts';
import { mountWire } from '@hatchway/sandbox/vipps/wire.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { settlePayment } from '@hatchway/server/modules/payments/settle-commands.ts';
import { testCabinet } from '@hatchway/server/test-cabinet.ts';
import { testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer } from '@hatchway/server/test-server.ts';

/** What a company enters of its keys. */
export const setupOf = ({ msn, clientId, clientSecret, subscriptionKey }: Merchant) => ({
  settings: { merchantSerialNumber: msn, clientId, testMode: true },
  secrets: { clientSecret, subscriptionKey },
});

type Options = {
  doors: number;
  /** The provider's and the server's clock, in ms. */
  now?: () => number;
};
/** For tests: a company with a wall, and the sandbox's payment provider, which it calls over HTTP. `connect` makes them known to each other. */
export const payingCompany = async ({ doors, now = Date.now }: Options) => {
  const vipps = createVipps({ now });
  const wire = Fastify();
  mountWire(wire, vipps.ledger, vipps.hooks, vipps.faults, { prefix: '', pageOf: ({ token }) => `http://127.0.0.1/pay?token=${token}` });
  const base = await wire.listen({ host: '127.0.0.1', port: 0 });
  const config = { vippsUrl: base, sandboxPorts: [Number(new URL(base).port)] };
  const server = await testServer({ now: () => new Date(now()), config });
  const company = await testCompany(server);
  const admin: TestPerson = await company.person(['admin']);
  const { api } = admin;
  const wall = await testCabinet(server, api, doors);
  return {
    vipps,
    server,
    company,
    admin,
    wall,
    connect: async (): Promise<Merchant> => {
      const merchant = newMerchant('Ours');
      vipps.ledger.addMerchant(merchant);
      const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: setupOf(merchant) });
      await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
      return merchant;
    },
    /** The payment that was begun last for an occupation. */
    newest: async (occupationId: string) => {
      const [payment] = await api('GET /payments', { query: { q: { occupationId }, sort: '-createdAt' } });
      if (!payment) throw new Error('Nothing was begun.');
      return payment;
    },
    /** What the provider's books hold of a payment of ours. */
    theirs: async (id: string) => {
      const { reference } = await api('GET /payments/{id}', { params: { id } });
      const found = vipps.ledger.payments().find(({ order }) => order.reference === reference);
      if (!found) throw new Error(`${reference} is not in the provider's books`);
      return found;
    },
    /** The server's own job may be at it in that moment: then once more, when that is over. */
    settle: async (id: string) => {
      const sent = `select id from payment_operations where payment_id = $1 and state = 'sent'`;
      for (let tries = 0; tries < 100; tries++) {
        await settlePayment(server.deps, company.id, id);
        if ((await query(server.database.ownerUrl, sent, [id])).length === 0) break;
        await wait(20);
      }
      await settlePayment(server.deps, company.id, id);
    },
    end: async () => {
      wall.end();
      await server.stop();
      await wire.close();
    },
  };
};
export type PayingCompany = Awaited<ReturnType<typeof payingCompany>>;
