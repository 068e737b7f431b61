import type { Template } from '@hatchway/contract/templates.ts';
import { templateFault } from '@hatchway/domain/template.ts';
import type { Tx } from '../../db/database.ts';
import { record, type Change } from '../../events/record.ts';
import { mustBeSeen, Problem } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { templateId, toTemplate, type Key } from './template-queries.ts';

type Input = Key & { subject: string | null; text: string };

/** Throws Problem `rule`, naming the placeholder that does not exist or the one that is missing. */
export const mustBeSound = ({ kind, channel, subject, text }: Input): void => {
  const refuse = (pointer: string, detail: string, data: Record<string, unknown>) => {
    throw new Problem('rule', detail, { errors: [{ pointer, detail }], data });
  };
  if (channel === 'mail' && subject === null) refuse('/subject', 'A mail needs a subject', { fault: 'no-subject' });
  if (channel === 'sms' && subject !== null) refuse('/subject', 'An SMS has no subject', { fault: 'subject' });
  for (const [pointer, written] of [
    ['/subject', subject],
    ['/text', text],
  ] as const) {
    // A subject tells no key; that the text does is asked of the text.
    const found = written === null ? null : templateFault(kind, pointer === '/subject' ? 'mail' : channel, written);
    if (found?.fault === 'unknown-placeholder') refuse(pointer, `There is no placeholder {${found.name}} here`, { ...found });
    if (found?.fault === 'missing-key')
      refuse(pointer, `The text must hold ${found.oneOf.map((one) => `{${one}}`).join(' or ')}`, { ...found });
  }
};

/** Held until the transaction ends; null where it was never worded here. */
const locked = (tx: Tx, tenantId: string, { kind, channel, locale }: Key) =>
  tx
    .selectFrom('templates')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .where('locale', '=', locale)
    .forUpdate()
    .executeTakeFirst();

const change = (key: Key): Change => ({ kind: 'templates', id: templateId(key), method: 'PUT' });

/** `version` is that of the text that was read, 0 for one that was never worded here. Throws Problem `rule` or `stale`. */
export const wordTemplate = async (tx: Tx, scope: Scope, input: Input & { version: number }): Promise<Template> => {
  mustBeSound(input);
  const { tenantId, now } = scope;
  const { kind, channel, locale, subject, text } = input;
  const before = await locked(tx, tenantId, input);
  mustBeSeen(before ?? { version: 0 }, input.version);
  const row = before
    ? await tx
        .updateTable('templates')
        .set((eb) => ({ subject, text, own: true, updated_at: now, version: eb('version', '+', 1) }))
        .where('tenant_id', '=', tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirst()
    : await tx
        .insertInto('templates')
        .values({ tenant_id: tenantId, id: newId(), kind, channel, locale, subject, text, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.constraint('templates_kind').doNothing())
        .returningAll()
        .executeTakeFirst();
  // Two first wordings at once: the other one was quicker.
  if (!row) throw new Problem('stale');
  await record(tx, scope, [], [change(input)]);
  return toTemplate(input, row);
};

/** Back to our text; nothing to do where it is ours already. Throws `stale` where somebody worded it anew since. */
export const forgetTemplate = async (tx: Tx, scope: Scope, key: Key & { version?: number | undefined }): Promise<Template> => {
  const before = await locked(tx, scope.tenantId, key);
  mustBeSeen(before ?? { version: 0 }, key.version);
  if (!before?.own) return toTemplate(key, before);
  const row = await tx
    .updateTable('templates')
    .set((eb) => ({ own: false, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [change(key)]);
  return toTemplate(key, row);
};
