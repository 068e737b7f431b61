import { inUtc } from '@hatchway/domain/deadlines.ts';
import { EMAIL_MAX, EMAIL_PATTERN, normalEmail } from '@hatchway/domain/receiver.ts';
import { oneLine, plainText } from '@hatchway/domain/text.ts';
import { z } from 'zod';

/** Ids: UUIDv7, save company ids (v4). Whoever writes one in capitals means the same, and it is compared as a string. */
export const id = z.uuid().toLowerCase();
/** ISO 8601 in UTC. */
export const time = z.iso.datetime({ offset: true });
/** A moment as somebody sends it, with whatever offset: it is taken over in UTC. */
export const moment = time.refine((sent) => inUtc(sent) !== null, 'beyond the years 1 to 9999').overwrite((sent) => inUtc(sent) ?? sent);
export const idParams = z.strictObject({ id });
// oxlint-disable-next-line no-control-regex -- naming control characters is the point
const UNCONTROLLED = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
const REFUSED = 'control characters are not allowed';
/** What somebody wrote, or nothing, on as many lines as they like; control characters are refused, so that no log line or CSV can be forged. */
export const lines = (max: number) => z.string().trim().max(max).regex(UNCONTROLLED, REFUSED);
export const text = (max: number) => lines(max).min(1);
/** On one line, or nothing: what stands among other words. */
export const line = (max: number) => z.string().overwrite(oneLine).max(max).regex(UNCONTROLLED, REFUSED);
export const name = (max: number) => line(max).min(1);
/** What is typed or scanned sign by sign, in the plain signs of its kind. */
export const plain = (max: number) => z.string().overwrite(plainText).max(max).regex(UNCONTROLLED, REFUSED);
export const code = (max: number) => plain(max).min(1);
/** A telephone number as somebody typed it; the company's country says what it is. */
export const tlf = plain(40);
export const email = z
  .string()
  .overwrite(normalEmail)
  .max(EMAIL_MAX)
  .check(z.email({ pattern: EMAIL_PATTERN }));
/** An address as somebody typed it, perhaps none. */
export const typedEmail = z.string().overwrite(normalEmail).max(EMAIL_MAX);
export const version = z.int().min(0);
/**
 * Of a change whose body the specification gives without one (docs/decisions/0011): the version that was seen, and the write is `stale`
 * where somebody wrote since. Without it the write is upon whatever stands there.
 */
export const seen = version.optional();
/** In minor units. */
export const price = z.object({ amount: z.int(), currency: z.string() });
/** Who did it; `id` is null for the server itself and for somebody known by a token or code alone. */
export const actor = z
  .object({ kind: z.enum(['person', 'key', 'device', 'system']), id: z.string().nullable(), name: z.string() })
  .meta({ id: 'Actor' });

export const receiver = z
  .strictObject({
    name: name(100),
    tlf: tlf.nullable().optional(),
    email: typedEmail.nullable().optional(),
  })
  .meta({ id: 'ReceiverInput' });
