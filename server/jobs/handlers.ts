import type { Deps } from '../deps.ts';
import { doubtTakeOut } from '../modules/doors/take-out-commands.ts';
import { settleDue } from '../modules/directory/commands.ts';
import { settleCommand } from '../modules/lockers/door-commands.ts';
import { lookUpPrice } from '../modules/messages/price-commands.ts';
import { sendMessage } from '../modules/messages/send.ts';
import { lookNow } from '../modules/occupations/clock.ts';
import { doubtElsewhere } from '../modules/occupations/put-elsewhere.ts';
import { hearMessage } from '../modules/occupations/hear-message.ts';
import { sweep } from './sweep.ts';
import { deliverWebhook } from '../modules/webhooks/deliver.ts';
import { endHold } from '../modules/payments/commands.ts';
import { syncEntra } from '../modules/directory/entra-sync.ts';
import { syncShop } from '../modules/integrations/shop-commands.ts';
import { syncTool } from '../modules/integrations/tool-commands.ts';
import { settlePayment } from '../modules/payments/settle-commands.ts';
import type { Job } from './jobs.ts';

type Handler<N extends Job['name']> = (deps: Deps, job: Extract<Job, { name: N }>) => Promise<void>;

/** Who does what follows a commit. A handler that throws is called again later: each finds out itself what is still to be done. */
export const handlers: { readonly [N in Job['name']]: Handler<N> } = {
  message: (deps, job) => sendMessage(deps, hearMessage, job),
  'sms-price': (deps, job) => lookUpPrice(deps, job),
  'look-again': async (deps, job) => void (await lookNow(deps, job.tenantId, job.occupationId, job.command)),
  'doubt-elsewhere': (deps, job) => doubtElsewhere(deps, job),
  'settle-command': async (deps, { tenantId, commandId }) => {
    await settleCommand(deps, tenantId, commandId);
    await doubtTakeOut(deps, tenantId, commandId);
  },
  'payment-over': async (deps, job) => void (await endHold(deps, job.tenantId, job.paymentId)),
  'payment-provider': (deps, job) => settlePayment(deps, job.tenantId, job.paymentId),
  directory: (deps, job) => settleDue(deps, job.tenantId),
  shop: (deps, job) => syncShop(deps, job.tenantId),
  entra: (deps, job) => syncEntra(deps, job.tenantId),
  tool: (deps, job) => syncTool(deps, job.tenantId, job.integrationId),
  webhook: (deps, job) => deliverWebhook(deps, job),
  sweep: async (deps, job) => void (await sweep(deps, job.tenantId)),
};
