import { formatPrice, type Price } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { bodyOf } from './texts.ts';
import { NOTHING } from './words.ts';

/** Nothing is taken of what somebody approved, once a payment, by the way that is known of them: their number before their address. */
export const tellNotTaken = async (tx: Tx, deps: Deps, scope: Scope, paymentId: string, price: Price, payer: Receiver): Promise<void> => {
  const channel = payer.tlf ? 'sms' : payer.email ? 'mail' : null;
  if (channel === null) return;
  const company = await tx.selectFrom('companies').select(['name', 'locale']).where('id', '=', scope.tenantId).executeTakeFirst();
  const locale = company?.locale === 'en' ? 'en' : 'nb';
  const sum = formatPrice(price, locale === 'en' ? 'en-GB' : 'nb-NO');
  const told = { ...NOTHING, company: company?.name ?? '', name: payer.name, sum };
  await queueMessage(tx, deps, scope, {
    occupationId: null,
    kind: 'payment-not-taken',
    cause: `payment-not-taken:${paymentId}`,
    channel,
    receiver: payer,
    locale,
    body: bodyOf(channel, 'payment-not-taken', told, locale),
  });
};
