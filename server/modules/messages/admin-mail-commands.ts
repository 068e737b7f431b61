import { formatPrice, type Price } from '@hatchway/domain/price.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { systemScope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { bodyOf } from './texts.ts';
import { moment } from './told.ts';
import { NOTHING, type Locale, type MessageKind, type Told } from './words.ts';

type At = { locale: Locale; timeZone: string };
/** `page`: of the portal, where it is seen to. */
type Mail = { kind: MessageKind; page: string; about: (at: At) => Partial<Told>; cause: string };

/** A mail to each admin: nobody looks at a list of addresses every day, and what hangs on one stands still from now on. */
const tellAdmins = async (tx: Tx, deps: Deps, tenantId: string, { kind, page, about, cause }: Mail, now: string): Promise<void> => {
  const company = await tx.selectFrom('companies').select(['name', 'locale', 'time_zone']).where('id', '=', tenantId).executeTakeFirst();
  const admins = await tx
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.name', 'a.email', 'a.locale'])
    .where('m.tenant_id', '=', tenantId)
    .where((eb) => eb('m.roles', '@>', eb.val(['admin'])))
    .where('a.email', 'is not', null)
    .where('a.disabled_at', 'is', null)
    .execute();
  for (const admin of admins) {
    const locale = (admin.locale ?? company?.locale) === 'en' ? 'en' : 'nb';
    const link = `${deps.config.publicUrl}/portal/${page}`;
    const told = {
      ...NOTHING,
      company: company?.name ?? '',
      name: admin.name,
      link,
      ...about({ locale, timeZone: company?.time_zone ?? 'Europe/Oslo' }),
    };
    await queueMessage(tx, deps, systemScope(tenantId, now), {
      occupationId: null,
      kind,
      cause: `${cause}:${admin.id}`,
      channel: 'mail',
      receiver: { name: admin.name, tlf: null, email: admin.email },
      locale,
      body: bodyOf('mail', kind, told, locale),
    });
  }
};

type Off = { tenantId: string; webhookId: string; version: number; url: string; reason: 'gone' | 'failing' | 'maker' };
export const tellWebhookOff = (tx: Tx, deps: Deps, { tenantId, webhookId, version, url, reason }: Off, now: string): Promise<void> => {
  const about = { host: new URL(url).host, makerGone: reason === 'maker' };
  // Switched on again and off again is news again.
  return tellAdmins(
    tx,
    deps,
    tenantId,
    { kind: 'webhook-off', page: 'admin?section=webhooks', about: () => about, cause: `webhook-off:${webhookId}:${version}` },
    now,
  );
};

/** `addresses`: those that hear nothing more. `version`: of the company's settings without them. */
export const tellAlertsOff = (
  tx: Tx,
  deps: Deps,
  { tenantId, version, addresses }: { tenantId: string; version: number; addresses: readonly string[] },
  now: string,
): Promise<void> => {
  const about = { host: addresses.join(', ') };
  return tellAdmins(
    tx,
    deps,
    tenantId,
    { kind: 'alerts-off', page: 'admin?section=alerts', about: () => about, cause: `alerts-off:${version}` },
    now,
  );
};

type Ends = { tenantId: string; paymentId: string; price: Price; until: string };
/** What is reserved goes back by itself after `until`. */
export const tellCaptureEnds = (tx: Tx, deps: Deps, { tenantId, paymentId, price, until }: Ends, now: string): Promise<void> => {
  const about = ({ locale, timeZone }: At) => ({
    sum: formatPrice(price, locale === 'en' ? 'en-GB' : 'nb-NO'),
    until: moment(until, locale, timeZone),
  });
  const cause = `capture-ends:${paymentId}:${until}`;
  return tellAdmins(tx, deps, tenantId, { kind: 'capture-ends', page: `manage/payments?payment=${paymentId}`, about, cause }, now);
};
