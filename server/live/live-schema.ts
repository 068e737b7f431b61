import { z } from 'zod';
import { LIVE_EVENTS, type LiveClientMessage, type LiveKind } from '@hatchway/contract/live.ts';

const id = z.string().min(1).max(200).optional();
const event = z.string().min(1).max(200);
const schema: z.ZodType<LiveClientMessage> = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('subscribe'), id, event }),
  z.object({ topic: z.literal('unsubscribe'), id, event }),
  z.object({ topic: z.literal('token'), id, token: z.string().min(1).max(12_000) }),
]);

/** What a client said, or null where it is no message of ours. */
export const readMessage = (raw: string): LiveClientMessage | null => {
  try {
    return schema.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
};

const KINDS: ReadonlySet<string> = new Set(LIVE_EVENTS);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An entity kind, or one row of it; anything else is no event. */
export const kindOf = (event: string): LiveKind | null => {
  const [kind = '', id, ...more] = event.split('/');
  if (!KINDS.has(kind) || more.length > 0 || (id !== undefined && !UUID.test(id))) return null;
  return kind as LiveKind;
};
