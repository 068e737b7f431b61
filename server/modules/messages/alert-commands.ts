import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { quietUntil, type AlertEvent } from '@hatchway/domain/alerts.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { alertHolds } from './alert-queries.ts';
import { queueMessage } from './commands.ts';
import { writeBody } from './template-queries.ts';
import { moment, toldOf } from './told.ts';
import { NOTHING, type Told } from './words.ts';

export type News = {
  /** `cabinet-back`: the end of what was told as `cabinet-offline`, to whoever was told that. `two-controllers`: why one is offline. */
  event: AlertEvent | 'cabinet-back' | 'two-controllers';
  /** One incident, one cause: whoever has been told of it is not told again. */
  cause: string;
  occupationId: string | null;
  /** What it tells where no occupation can be asked when it is sent. */
  about?: Partial<Told> & { sinceIso?: string };
};

/** Known again without being readable: a cause is shown to whoever reads messages. */
const short = (channel: string, to: string): string => createHash('sha256').update(`${channel}:${to}`).digest('base64url').slice(0, 12);

/** What happened at a door stays so, wherever the use behind it goes since; all other news of a use are of how it stands. */
const HAPPENED: readonly News['event'][] = ['unexpected-opening', 'report'];

type Alerts = NonNullable<CompanySettings['alerts']>;
const OFFLINE: readonly News['event'][] = ['cabinet-back', 'two-controllers'];
const wantedOf = (alerts: Alerts | undefined, news: News['event']): Alerts =>
  (alerts ?? []).filter(({ event }) => event === 'all' || event === (OFFLINE.includes(news) ? 'cabinet-offline' : news));

/** Of a row whose incident has this cause: somebody who wants to hear of it has not been told, or was not when nobody knew. Where nobody wants to, nobody is left. */
export const isUntold = (
  tenantId: string,
  { alerts }: CompanySettings,
  event: AlertEvent,
  cause: RawBuilder<string>,
): RawBuilder<SqlBool> => {
  const wanted = wantedOf(alerts, event);
  return sql<SqlBool>`exists (
    select 1 from unnest(${wanted.map(({ channel }) => channel)}::text[], ${wanted.map(({ channel, to }) => short(channel, to))}::text[]) as w (channel, who)
    where not exists (select 1 from messages m where m.tenant_id = ${tenantId} and m.cause = ${cause} || ':' || w.who and m.channel = w.channel
      and m.error is distinct from ${NOT_NEEDED}))`;
};

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
  const wanted = wantedOf(company?.settings.alerts, news.event);
  if (!company || wanted.length === 0) return;
  const locale = company.locale === 'en' ? 'en' : 'nb';
  const at = quietUntil(company.settings.quietHours, company.time_zone, scope.now);
  const kind = `staff-${news.event}` as const;
  const { sinceIso, ...about } = news.about ?? {};
  const { occupationId } = news;
  const told: Told | null =
    occupationId === null
      ? {
          ...NOTHING,
          company: company.name,
          name: '',
          ...about,
          ...(sinceIso ? { since: moment(sinceIso, locale, company.time_zone) } : {}),
        }
      : HAPPENED.includes(news.event)
        ? await toldOf(tx, deps, scope.tenantId, { occupationId, kind, name: '', locale })
        : null;
  for (const { channel, to } of wanted) {
    const cause = `${news.cause}:${short(channel, to)}`;
    if (news.event === 'cabinet-back' && !(await alertHolds(tx, scope.tenantId, cause))) continue;
    const receiver: Receiver = channel === 'sms' ? { name: '', tlf: to, email: null } : { name: '', tlf: null, email: to };
    await queueMessage(tx, deps, scope, {
      occupationId,
      kind,
      cause,
      channel,
      receiver,
      locale,
      ...(told === null ? {} : { body: await writeBody(tx, scope.tenantId, { channel, kind, locale }, told) }),
      ...(at === null ? {} : { at }),
      // Its cabinet fell silent before its turn came, and says now that the door stands open still.
      anew: news.event === 'door-left-open',
    });
  }
};
