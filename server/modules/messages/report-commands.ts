import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { plainError } from '../../providers/sent.ts';
import { readLinkReport } from '../../providers/sms-link.ts';
import { readSveveReport } from '../../providers/sms-sveve.ts';
import { isSignedByTwilio, readTwilioReport } from '../../providers/sms-twilio.ts';
import { gatewaysOf, type Wire } from '../../providers/sms.ts';
import type { Fate } from '../../providers/sms-wire.ts';
import { systemScope } from '../../scope.ts';
import { askPrice } from './price-commands.ts';
import { macOf, readRef, reportUrlOf, type Told } from './report-address.ts';
import { keepsWords, type Addressee, type Hearing } from './commands.ts';

/** What a gateway of the operator's own says of a message once it knows: it lies on the phone, or never will. */
const report = z.object({ state: z.enum(['delivered', 'failed']), error: z.string().max(2_000).optional() });

/** Wrong addresses and signatures: nobody finds one by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };
const KEY = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;
type Visit = { address: string; now: string };

const missed = async (deps: Deps, { address, now }: Visit): Promise<never> => {
  await deps.db.open((tx) => limited(tx, { bucket: `sms-report-miss:${address}`, ...MISSES }, now));
  throw new Problem('not-found');
};
const toldBy = (deps: Deps, key: string, wire: 'http' | 'twilio'): Told | null => {
  const [, tenantId = '', messageId = '', mac = ''] = KEY.exec(key) ?? [];
  const told = { tenantId, messageId };
  return tenantId !== '' && timingSafeEqual(macOf(deps, told, wire), Buffer.from(mac, 'base64url')) ? told : null;
};

/** A report at the address that went out with its message. Throws Problem `not-found` for an address that is not ours, `malformed`, `too-many-requests`. */
export const takeReport = async (deps: Deps, hear: Hearing, key: string, body: unknown, visit: Visit): Promise<void> => {
  const told = toldBy(deps, key, 'http');
  if (told === null) return missed(deps, visit);
  const said = report.safeParse(body);
  if (!said.success) throw new Problem('malformed', '/state: delivered or failed');
  const { state, error = '' } = said.data;
  await hearFate(deps, hear, 'http', told, { state, error, id: null, part: null }, visit.now);
};

type Signed = { body: string; signature: string };
/** The same by Twilio, which signs besides: without its signature nothing is believed. Throws `not-found`, `malformed`, `too-many-requests`. */
export const takeTwilioReport = async (
  deps: Deps,
  hear: Hearing,
  key: string,
  { body, signature }: Signed,
  visit: Visit,
): Promise<void> => {
  const told = toldBy(deps, key, 'twilio');
  if (told === null) return missed(deps, visit);
  const form = new URLSearchParams(body);
  const url = reportUrlOf(deps, told, 'twilio');
  const isRight = gatewaysOf(deps.config).some((at) => at.wire === 'twilio' && isSignedByTwilio(at.password, url, form, signature));
  if (!isRight) return missed(deps, visit);
  const said = readTwilioReport(form);
  if (said === null) throw new Problem('malformed', 'MessageSid and MessageStatus are needed');
  if (said.fate !== null) await hearFate(deps, hear, 'twilio', told, said.fate, visit.now);
};

const READERS = { sveve: readSveveReport, link: readLinkReport } as const;
/**
 * Sveve and LINK Mobility sign nothing and ask for one address, which the operator made unguessable; which message it is of, each report
 * repeats. Throws `not-found` for another secret than the gateway's, `malformed`, `too-many-requests`.
 */
export const takeGatewayReport = async (
  deps: Deps,
  hear: Hearing,
  { wire, secret }: { wire: 'sveve' | 'link'; secret: string },
  body: unknown,
  visit: Visit,
): Promise<void> => {
  const given = deps.seal.hash(secret);
  const isRight = gatewaysOf(deps.config).some(
    (at) => at.wire === wire && at.reports !== null && timingSafeEqual(deps.seal.hash(at.reports), given),
  );
  if (!isRight) return missed(deps, visit);
  const said = READERS[wire](body);
  if (said === null) throw new Problem('malformed', 'This is no report');
  const ref = readRef(said.ref);
  // What somebody else sends by the same account is reported here too.
  if (ref === null || said.fate === null) return;
  const { from, to } = ref.company;
  const company = await deps.db.operator((tx) =>
    tx.selectFrom('companies').select('id').where('id', '>=', from).where('id', '<=', to).executeTakeFirst(),
  );
  if (company) await hearFate(deps, hear, wire, { tenantId: company.id, messageId: ref.messageId }, said.fate, visit.now);
};

/**
 * However often and late it is told. That it arrived stands against everything; that it failed against all but that. A message that is
 * still to be tried again has been taken after all, and is not sent twice. Of one in parts it has arrived once all of them have.
 */
const hearFate = async (
  deps: Deps,
  hear: Hearing,
  wire: Wire,
  { tenantId, messageId }: Told,
  { state, error, id, part }: Fate,
  now: string,
): Promise<void> => {
  const scope = systemScope(tenantId, now);
  await deps.db.tenant(tenantId, async (tx) => {
    const row = await tx
      .selectFrom('messages')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', messageId)
      .forUpdate()
      .executeTakeFirst();
    // Deleted with its company meanwhile, or told already: there is nothing to say against the gateway.
    if (!row || row.channel !== 'sms' || row.state === 'delivered' || row.state === state) return;
    // Another gateway has it, or has it under another name.
    if (row.gateway !== null && row.gateway !== wire) return;
    if (id !== null && row.provider_ref !== null && row.provider_ref !== id) return;
    const mine = () => tx.updateTable('messages').where('tenant_id', '=', tenantId).where('id', '=', messageId);
    if (part !== null && state === 'delivered') {
      const arrived = [...new Set([...row.parts_arrived, part.no])];
      await mine().set({ parts_arrived: arrived }).execute();
      if (arrived.length < Math.max(part.of ?? 1, row.segments ?? 1)) return;
    }
    // Archived, it names nobody any more, and no report brings a name back.
    const sealed = deps.seal.open(row.to_sealed);
    const words = sealed === null ? '' : plainError(error, (JSON.parse(sealed) as Addressee).to);
    const why = state === 'failed' ? words || 'the phone company could not deliver it' : null;
    await mine()
      .set((eb) => ({
        state,
        error: why,
        gateway: wire,
        ...(id === null ? {} : { provider_ref: id }),
        ...(keepsWords(row) ? {} : { body_sealed: null }),
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .execute();
    if (wire === 'twilio') await askPrice(tx, deps, { tenantId, messageId }, later(now, 10 * MINUTE));
    await record(tx, scope, [], [{ kind: 'messages', id: messageId, method: 'PUT' }]);
    deps.metrics.messages.inc({ channel: row.channel, state });
    if (row.occupation_id === null) return;
    const fate = state === 'failed' ? 'failed' : 'accepted';
    await hear(tx, deps, scope, { occupationId: row.occupation_id, kind: row.kind, cause: row.cause, state: fate, error: why ?? '' });
  });
  deps.outbox.wake();
};
