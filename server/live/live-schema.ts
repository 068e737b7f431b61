import { z } from 'zod';
import { LIVE_EVENTS, type LiveClientMessage, type LiveKind } from '@hatchway/contract/live.ts';

const id = z.string().min(1).max(200).optional();
const event = z.string().min(1).max(200);
const schema: z.ZodType<LiveClientMessage> = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('subscribe'), id, event }),
  z.object({ topic: z.literal('unsubscribe'), id, event }),
  z.object({ topic: z.literal('token'), id, token: z.string().min(1).max(12_000) }),
]);

const answerable = z.object({ id });

/** What a client said, null where it is no message of ours; and the id that it waits for an answer by, as far as one can be read. */
export const readMessage = (raw: string): { message: LiveClientMessage | null; id: string } => {
  try {
    const said: unknown = JSON.parse(raw);
    return { message: schema.safeParse(said).data ?? null, id: answerable.safeParse(said).data?.id ?? '' };
  } catch {
    return { message: null, id: '' };
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
