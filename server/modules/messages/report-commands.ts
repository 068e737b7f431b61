import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { plainError } from '../../providers/sent.ts';
import { systemScope } from '../../scope.ts';
import { macOf } from './report-address.ts';
import { keepsWords, type Addressee, type Hearing } from './commands.ts';

/** What a gateway says of a message once it knows: it lies on the phone, or never will. */
const report = z.object({ state: z.enum(['delivered', 'failed']), error: z.string().max(2_000).optional() });

/** Wrong addresses: nobody finds one by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };
const KEY = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

/**
 * A gateway's report, however often and late it comes. That it arrived stands against everything; that it failed against all but that.
 * A message that is still to be tried again has been taken after all, and is not sent twice. Throws Problem `not-found` for an address
 * that is not ours, `malformed`, `too-many-requests`.
 */
export const takeReport = async (
  deps: Deps,
  hear: Hearing,
  key: string,
  body: unknown,
  { address, now }: { address: string; now: string },
) => {
  const [, tenantId = '', messageId = '', mac = ''] = KEY.exec(key) ?? [];
  const right = tenantId !== '' && timingSafeEqual(macOf(deps, tenantId, messageId), Buffer.from(mac, 'base64url'));
  if (!right) {
    await deps.db.open((tx) => limited(tx, { bucket: `sms-report-miss:${address}`, ...MISSES }, now));
    throw new Problem('not-found');
  }
  const said = report.safeParse(body);
  if (!said.success) throw new Problem('malformed', '/state: delivered or failed');
  const { state, error } = said.data;
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
    // Archived, it names nobody any more, and no report brings a name back.
    const sealed = deps.seal.open(row.to_sealed);
    const words = sealed === null ? '' : plainError(error ?? '', (JSON.parse(sealed) as Addressee).to);
    const why = state === 'failed' ? words || 'the phone company could not deliver it' : null;
    await tx
      .updateTable('messages')
      .set((eb) => ({
        state,
        error: why,
        ...(keepsWords(row) ? {} : { body_sealed: null }),
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', messageId)
      .execute();
    await record(tx, scope, [], [{ kind: 'messages', id: messageId, method: 'PUT' }]);
    deps.metrics.messages.inc({ channel: row.channel, state });
    if (row.occupation_id === null) return;
    const fate = state === 'failed' ? 'failed' : 'accepted';
    await hear(tx, deps, scope, { occupationId: row.occupation_id, kind: row.kind, cause: row.cause, state: fate, error: why ?? '' });
  });
  deps.outbox.wake();
};
