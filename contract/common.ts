import { inUtc } from '@hatchway/domain/deadlines.ts';
import { EMAIL_MAX, EMAIL_PATTERN, normalEmail } from '@hatchway/domain/receiver.ts';
import { z } from 'zod';

/** Ids: UUIDv7, save company ids (v4). Whoever writes one in capitals means the same, and it is compared as a string. */
export const id = z.uuid().toLowerCase();
/** ISO 8601 in UTC. */
export const time = z.iso.datetime({ offset: true });
/** A moment as somebody sends it, with whatever offset: it is taken over in UTC. */
export const moment = time.refine((sent) => inUtc(sent) !== null, 'beyond the years 1 to 9999').overwrite((sent) => inUtc(sent) ?? sent);
export const idParams = z.strictObject({ id });
/** Short human text, or none; control characters are refused, so that no log line or CSV can be forged. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- naming control characters is the point
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'control characters are not allowed');
export const text = (max: number) => line(max).min(1);
export const email = z.email({ pattern: EMAIL_PATTERN }).max(EMAIL_MAX).overwrite(normalEmail);
/** An address as somebody typed it, perhaps none. */
export const typedEmail = z.string().overwrite(normalEmail).max(EMAIL_MAX);
export const version = z.int().min(0);
/**
 * Of a change whose body the specification gives without one (docs/decisions/0011): the version that was seen, and the write is `stale`
 * where somebody wrote since. Without it the write is upon whatever stands there.
 */
export const seen = version.optional();
/** Who did it; `id` is null for the server itself and for somebody known by a token or code alone. */
export const actor = z
  .object({ kind: z.enum(['person', 'key', 'device', 'system']), id: z.string().nullable(), name: z.string() })
  .meta({ id: 'Actor' });

export const receiver = z
  .strictObject({
    name: text(100),
    tlf: line(20).nullable().optional(),
    email: typedEmail.nullable().optional(),
  })
  .meta({ id: 'ReceiverInput' });
