import { quietUntil } from '@hatchway/domain/alerts.ts';
import { smsSize } from '@hatchway/domain/sms.ts';
import { IN_DOUBT, NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import type { MessagesTable } from '../../db/tables/messages.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { sendSms, type Wire } from '../../providers/sms.ts';
import { sendLetter } from '../../providers/smtp.ts';
import type { Sent } from '../../providers/sent.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { enqueueSending, keepsWords, type Addressee, type Hearing } from './commands.ts';
import { isOfDoubt } from './origin-queries.ts';
import { refOf, reportUrlOf } from './report-address.ts';
import { writeBody } from './template-queries.ts';
import type { Body } from './texts.ts';
import { toldOf } from './told.ts';
import { stillTrue } from './truth-queries.ts';
import { isMessageKind } from './words.ts';

type Row = Selectable<MessagesTable>;
type Ready = { row: Row; to: string; body: Body; senderId: string };
const mine = (tx: Tx, tenantId: string, id: string) => tx.updateTable('messages').where('tenant_id', '=', tenantId).where('id', '=', id);

/**
 * Marks it `sent` and commits that before a byte goes out. Found as `sent` already, the process that sent it was cut off in between:
 * whether it went out nobody knows, and it is not repeated. Null: nothing to send.
 */
const begin = (deps: Deps, hear: Hearing, tenantId: string, messageId: string): Promise<Ready | null> =>
  deps.db.tenant(tenantId, async (tx) => {
    const scope = systemScope(tenantId, deps.now().toISOString());
    const row = await tx
      .selectFrom('messages')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', messageId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    if (row.state === 'sent') {
      await settle(tx, deps, hear, scope, row, { state: 'unknown', error: 'the sending was cut off' });
      return null;
    }
    if (row.state !== 'queued') return null;
    const sealed = deps.seal.open(row.to_sealed);
    const { to, name } = sealed === null ? { to: '', name: '' } : (JSON.parse(sealed) as Addressee);
    const refuse = async (error: string): Promise<null> => {
      await settle(tx, deps, hear, scope, row, { state: 'failed', error });
      return null;
    };
    if (sealed === null) return refuse('the address cannot be read');
    if (!isMessageKind(row.kind) || !(await stillTrue(tx, row, to))) return refuse(NOT_NEEDED);
    if (await isOfDoubt(tx, row)) return refuse(IN_DOUBT);
    const locale = row.locale === 'en' ? 'en' : 'nb';
    // Refused for the moment, nothing of it has gone out: each try says what holds then, of the door that it is then.
    const kept = keepsWords(row) && row.body_sealed && deps.seal.open(row.body_sealed);
    const body = kept
      ? (JSON.parse(kept) as Body)
      : await writeBody(
          tx,
          tenantId,
          { channel: row.channel, kind: row.kind, locale },
          await toldOf(tx, deps, tenantId, { occupationId: row.occupation_id, kind: row.kind, name, locale }),
        );
    await mine(tx, tenantId, messageId)
      .set((eb) => ({
        state: 'sent',
        segments: body.channel === 'sms' ? smsSize(body.text).parts : null,
        attempts: eb('attempts', '+', 1),
        version: eb('version', '+', 1),
        updated_at: scope.now,
      }))
      .execute();
    await record(tx, scope, [], [{ kind: 'messages', id: messageId, method: 'PUT' }]);
    const company = await tx.selectFrom('companies').select('settings').where('id', '=', tenantId).executeTakeFirst();
    return { row: { ...row, attempts: row.attempts + 1 }, to, body, senderId: senderOf(company?.settings ?? {}) };
  });

/** 1 to 11 letters and digits: all that phones show of a sender. */
const senderOf = ({ senderName }: CompanySettings): string =>
  (senderName ?? '')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9 ]/g, '')
    .slice(0, 11)
    .trim() || 'Hatchway';

/** `wire`: of an SMS the one by which it went. */
type Ended = Sent & { wire?: Wire };
const send = async (deps: Deps, { row, to, body, senderId }: Ready): Promise<Ended> => {
  const { config } = deps;
  if (body.channel === 'sms') {
    const told = { tenantId: row.tenant_id, messageId: row.id };
    const { sent, wire } = await sendSms(deps.outside, config, {
      to,
      text: body.text,
      senderId,
      refFor: (by) => (by === 'sveve' || by === 'link' ? refOf(told) : row.id),
      reportUrlFor: (by) => reportUrlOf(deps, told, by),
    });
    return wire === null ? sent : { ...sent, wire };
  }
  return config.smtpUrl
    ? sendLetter(config.smtpUrl, {
        from: config.mailFrom,
        to,
        subject: body.subject,
        text: body.text,
        html: body.html,
        messageId: row.message_id,
      })
    : { state: 'failed', error: 'mail is not set up' };
};

/** What waited for the morning when it was new waits for it when it is tried again, too. */
const morningOf = async (tx: Tx, { tenant_id, kind }: Row, at: string): Promise<string | null> => {
  if (kind !== 'reminder' && !kind.startsWith('staff-')) return null;
  const company = await tx.selectFrom('companies').select(['settings', 'time_zone']).where('id', '=', tenant_id).executeTakeFirst();
  return company ? quietUntil(company.settings.quietHours, company.time_zone, at) : null;
};

/** What it weighed: of what was refused nothing, of what may have gone out as we count it, unless its gateway counts. */
const costOf = (sent: Ended): { gateway: string | null; segments?: number | null } => ({
  gateway: sent.state === 'again' ? null : (sent.wire ?? null),
  ...(sent.state === 'again' || sent.state === 'failed' ? { segments: null } : {}),
  ...(sent.state === 'accepted' && sent.segments !== undefined ? { segments: sent.segments } : {}),
});

/**
 * Writes down what became of it, and tells the occupation, in one transaction. A temporary refusal is tried again, under the same
 * Message-ID. Only what was surely not taken is: what may have gone out is not repeated, in whatever words.
 */
const settle = async (tx: Tx, deps: Deps, hear: Hearing, scope: Scope, row: Row, sent: Ended): Promise<void> => {
  const wait = sent.state === 'again' ? deps.pace.againSeconds[row.attempts - 1] : undefined;
  const state = sent.state === 'again' ? (wait === undefined ? 'failed' : 'queued') : sent.state;
  await mine(tx, scope.tenantId, row.id)
    .set((eb) => ({
      state,
      error: sent.state === 'accepted' ? null : sent.error,
      provider_ref: sent.state === 'accepted' ? sent.providerRef : null,
      ...costOf(sent),
      // Its link and code are kept with the occupation. An invitation's are kept nowhere else.
      ...(state !== 'queued' && !keepsWords(row) ? { body_sealed: null } : {}),
      version: eb('version', '+', 1),
      updated_at: scope.now,
    }))
    .execute();
  await record(tx, scope, [], [{ kind: 'messages', id: row.id, method: 'PUT' }]);
  if (wait !== undefined) {
    const at = new Date(Date.parse(scope.now) + wait * 1000).toISOString();
    await enqueueSending(tx, deps, scope.tenantId, row.id, (await morningOf(tx, row, at)) ?? at);
  }
  deps.metrics.messages.inc({ channel: row.channel, state: wait === undefined ? state : 'again' });
  if (row.occupation_id === null || (state !== 'accepted' && state !== 'failed')) return;
  const error = sent.state === 'accepted' ? '' : sent.error;
  await hear(tx, deps, scope, { occupationId: row.occupation_id, kind: row.kind, cause: row.cause, state, error });
};

/** The job `message`: sends one queued message, once. */
export const sendMessage = async (
  deps: Deps,
  hear: Hearing,
  { tenantId, messageId }: { tenantId: string; messageId: string },
): Promise<void> => {
  const ready = await begin(deps, hear, tenantId, messageId);
  deps.outbox.wake();
  if (!ready) return;
  const sent = await send(deps, ready);
  await deps.db.tenant(tenantId, async (tx) => {
    const state = await tx
      .selectFrom('messages')
      .select('state')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', messageId)
      .forUpdate()
      .executeTakeFirst();
    // Another run has taken this one for lost meanwhile: what it wrote stands, unless the answer came after all.
    if (state?.state === 'sent' || (state?.state === 'unknown' && sent.state === 'accepted'))
      await settle(tx, deps, hear, systemScope(tenantId, deps.now().toISOString()), ready.row, sent);
    // Its report was quicker, and stands; what it cost is known only now.
    else if (sent.state === 'accepted' && state !== undefined)
      await mine(tx, tenantId, messageId)
        .set({ provider_ref: sent.providerRef, ...costOf(sent) })
        .execute();
  });
  deps.outbox.wake();
};
