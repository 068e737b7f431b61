import { createHash } from 'node:crypto';
import { quietUntil, type AlertEvent } from '@hatchway/domain/alerts.ts';
import { toE164, type Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { writeBody } from './template-queries.ts';
import { moment } from './told.ts';
import { NOTHING, type Told } from './words.ts';

export type News = {
  event: AlertEvent;
  /** One incident, one cause: whoever has been told of it is not told again. */
  cause: string;
  occupationId: string | null;
  /** What it tells where no occupation can be asked when it is sent. */
  about?: Partial<Told> & { sinceIso?: string };
};

/** Known again without being readable: a cause is shown to whoever reads messages. */
const short = (channel: string, to: string): string => createHash('sha256').update(`${channel}:${to}`).digest('base64url').slice(0, 12);

/**
 * Whoever the company's settings name for such news, each once for one incident however often it is noticed. In quiet hours it waits
 * until they are over; what has come right by then is not told any more (alert-queries.ts).
 */
export const alertStaff = async (tx: Tx, deps: Deps, scope: Scope, news: News): Promise<void> => {
  const company = await tx
    .selectFrom('companies')
    .select(['name', 'country', 'locale', 'time_zone', 'settings'])
    .where('id', '=', scope.tenantId)
    .executeTakeFirst();
  const wanted = (company?.settings.alerts ?? []).filter(({ event }) => event === news.event || event === 'all');
  if (!company || wanted.length === 0) return;
  const locale = company.locale === 'en' ? 'en' : 'nb';
  const at = quietUntil(company.settings.quietHours, company.time_zone, scope.now);
  const kind = `staff-${news.event}` as const;
  const { sinceIso, ...about } = news.about ?? {};
  const told: Told = {
    ...NOTHING,
    company: company.name,
    name: '',
    ...about,
    ...(sinceIso ? { since: moment(sinceIso, locale, company.time_zone) } : {}),
  };
  for (const { channel, to } of wanted) {
    const receiver: Receiver =
      channel === 'sms' ? { name: '', tlf: toE164(to, company.country) ?? to, email: null } : { name: '', tlf: null, email: to };
    await queueMessage(tx, deps, scope, {
      occupationId: news.occupationId,
      kind,
      cause: `${news.cause}:${short(channel, to)}`,
      channel,
      receiver,
      locale,
      ...(news.occupationId === null ? { body: await writeBody(tx, scope.tenantId, { channel, kind, locale }, told) } : {}),
      ...(at === null ? {} : { at }),
    });
  }
};
