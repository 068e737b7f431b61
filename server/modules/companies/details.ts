import { sql } from 'kysely';
import type { z } from 'zod';
import type { companies, Company } from '@hatchway/contract/people.ts';
import { mayReadAllHistory, type Facts } from '@hatchway/domain/access.ts';
import { isEmail, normalEmail } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import type { Picture } from '../../http/picture.ts';
import { mustBeSeen, Problem, ruled } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { phoneAt } from '../../phone.ts';
import { dropPicture, keepPicture } from '../pictures.ts';
import { translateFirstLabels } from './first-labels.ts';
import { toCompany } from './queries.ts';

type Put = Extract<(typeof companies)[number], { method: 'PUT'; path: '/companies/{tenant}' }>;
type Change = z.output<Put['body']>;

const locked = async (tx: Tx, tenantId: string) => {
  const row = await tx.selectFrom('companies').selectAll().where('id', '=', tenantId).forUpdate().executeTakeFirst();
  // Known to an outside identity provider alone: there is nothing here to change.
  if (!row) throw new Problem('no-document');
  return row;
};

/** Days are counted on this clock in SQL and in the browser: both must know it. */
const checkZone = async (tx: Tx, zone: string): Promise<void> => {
  const { rows } = await sql<{ known: boolean }>`select exists (select from pg_timezone_names where name = ${zone}) as known`.execute(tx);
  const here = zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone);
  if (!here || !rows[0]?.known) throw ruled('not a time zone, such as Europe/Oslo', '/timeZone');
};

type Alerts = NonNullable<CompanySettings['alerts']>;
/** Addresses that can be reached: a number in E.164 with the company's country, or an e-mail address. */
const reachable = (alerts: Alerts, country: string) =>
  alerts.map((alert, at) => {
    const pointer = `/settings/alerts/${at}/to`;
    if (alert.channel === 'sms') return { ...alert, to: phoneAt(alert.to, country, pointer) };
    const to = normalEmail(alert.to);
    if (!isEmail(to)) throw ruled('not an e-mail address', pointer);
    return { ...alert, to };
  });

/**
 * An alert tells of what happens at a door and behind it: nobody has that told to an address who may not read it themselves. One that a key
 * adds keeps which key that was; one that was there is whose it was, whoever saves the list around it.
 */
const answeredFor = (before: Alerts, after: Alerts, { actor }: Scope, facts: Facts): Alerts => {
  const known = new Map(before.map((one) => [`${one.event} ${one.channel} ${one.to}`, one]));
  return after.map((one, at) => {
    const was = known.get(`${one.event} ${one.channel} ${one.to}`);
    if (was) return was;
    if (!mayReadAllHistory(facts))
      throw new Problem('forbidden', 'An alert tells what happens at the doors: that needs the right to read the history', {
        errors: [{ pointer: `/settings/alerts/${at}`, detail: 'more than the caller may read' }],
      });
    return actor.kind === 'key' && actor.id !== null ? { ...one, key: actor.id } : one;
  });
};

/**
 * What is not named stays; settings are taken one by one, so that two screens do not undo each other's. Throws `stale`, `rule`, and `forbidden`
 * for a key that has somebody alerted and reads nothing.
 */
export const changeDetails = async (tx: Tx, scope: Scope, facts: Facts, change: Change, logo: Picture | null): Promise<Company> => {
  const before = await locked(tx, scope.tenantId);
  mustBeSeen(before, change.version);
  if (change.timeZone !== undefined) await checkZone(tx, change.timeZone);
  const country = change.country ?? before.country;
  const tlf = change.contact?.tlf ? phoneAt(change.contact.tlf, country, '/contact/tlf', 'call') : '';
  const { alerts: given, ...settings } = change.settings ?? {};
  const alerts = given && answeredFor(before.settings.alerts ?? [], reachable(given, country), scope, facts);
  const kept = { ...before.settings, ...settings, ...(alerts ? { alerts } : {}) };
  const logoId = logo ? await keepPicture(tx, scope, logo) : before.logo_file_id;
  if (logo && before.logo_file_id) await dropPicture(tx, scope.tenantId, before.logo_file_id);
  const row = await tx
    .updateTable('companies')
    .set((eb) => ({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.orgNumber === undefined ? {} : { org_number: change.orgNumber }),
      ...(change.contact ? { contact: jsonb({ ...change.contact, tlf }) } : {}),
      ...(change.address ? { address: jsonb(change.address) } : {}),
      ...(change.locale === undefined ? {} : { locale: change.locale }),
      ...(change.timeZone === undefined ? {} : { time_zone: change.timeZone }),
      country,
      settings: jsonb<CompanySettings>(kept),
      logo_file_id: logoId,
      updated_at: scope.now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', scope.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const labels = row.locale === before.locale ? [] : await translateFirstLabels(tx, scope, before.locale, row.locale);
  await record(tx, scope, [], [{ kind: 'companies', id: scope.tenantId, method: 'PUT' }, ...labels]);
  return toCompany(row);
};

/** Repeating it changes nothing. */
export const removeLogo = async (tx: Tx, scope: Scope): Promise<Company> => {
  const before = await locked(tx, scope.tenantId);
  if (!before.logo_file_id) return toCompany(before);
  await dropPicture(tx, scope.tenantId, before.logo_file_id);
  const row = await tx
    .updateTable('companies')
    .set((eb) => ({ logo_file_id: null, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('id', '=', scope.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [{ kind: 'companies', id: scope.tenantId, method: 'PUT' }]);
  return toCompany(row);
};
