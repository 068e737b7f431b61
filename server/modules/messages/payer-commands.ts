import { formatPrice, type Price } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { bodyOf } from './texts.ts';
import { moment } from './told.ts';
import { NOTHING } from './words.ts';

type Paid = Price & { id: string; reference: string; content: string | null };
type Kind = 'payment-not-taken' | 'purchase' | 'receipt';

/** Once a payment and kind, by the way that is asked for. */
const tell = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  kind: Kind,
  channel: 'sms' | 'mail',
  paid: Paid,
  payer: Receiver,
  key?: Key,
): Promise<void> => {
  const company = await tx
    .selectFrom('companies')
    .select(['name', 'locale', 'time_zone'])
    .where('id', '=', scope.tenantId)
    .executeTakeFirst();
  const locale = company?.locale === 'en' ? 'en' : 'nb';
  const told = {
    ...NOTHING,
    company: company?.name ?? '',
    name: payer.name,
    sum: formatPrice(paid, locale === 'en' ? 'en-GB' : 'nb-NO'),
    thing: paid.content,
    at: `${moment(scope.now, locale, company?.time_zone ?? 'UTC')}, ${paid.reference}`,
    ...(key === undefined ? {} : { link: key.link, code: key.code }),
  };
  await queueMessage(tx, deps, scope, {
    occupationId: null,
    kind,
    cause: `${kind}:${paid.id}`,
    channel,
    receiver: payer,
    locale,
    body: bodyOf(channel, kind, told, locale),
  });
};

/** Nothing is taken of what somebody approved: told by the way that is known of them, their number before their address. */
export const tellNotTaken = async (tx: Tx, deps: Deps, scope: Scope, paid: Paid, payer: Receiver): Promise<void> => {
  const channel = payer.tlf ? 'sms' : payer.email ? 'mail' : null;
  if (channel !== null) await tell(tx, deps, scope, 'payment-not-taken', channel, paid, payer);
};

type Key = { link: string; code: string };
/** What somebody bought waits for them: the way to it, for whoever loses the page. To their number, which they find it by too, else by mail. */
export const tellBought = async (tx: Tx, deps: Deps, scope: Scope, paid: Paid, payer: Receiver, key: Key): Promise<void> => {
  const channel = payer.tlf ? 'sms' : payer.email ? 'mail' : null;
  if (channel !== null) await tell(tx, deps, scope, 'purchase', channel, paid, payer, key);
};

/** What was paid, to the address that asked for it. */
export const sendReceipt = async (tx: Tx, deps: Deps, scope: Scope, paid: Paid, payer: Receiver): Promise<void> => {
  if (payer.email) await tell(tx, deps, scope, 'receipt', 'mail', paid, payer);
};
