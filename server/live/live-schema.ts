import { z } from 'zod';
import { LIVE_EVENTS, type LiveClientMessage, type LiveKind } from '@hatchway/contract/live.ts';

const ID_MOST = 200;
const id = z.string().min(1).max(ID_MOST).optional();
const event = z.string().min(1).max(200);
const schema: z.ZodType<LiveClientMessage> = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('subscribe'), id, event }),
  z.object({ topic: z.literal('unsubscribe'), id, event }),
  z.object({ topic: z.literal('token'), id, token: z.string().min(1).max(12_000) }),
  z.object({ topic: z.literal('ping'), id }),
]);

const named = z.object({ id: z.unknown() });
type Heard = { message: LiveClientMessage } | { error: 'bad-id' | 'malformed'; id: string };

/** What a client said; or why it is no message of ours, and as much as can be read of the id that it waits for an answer by. */
export const readMessage = (raw: string): Heard => {
  try {
    const said: unknown = JSON.parse(raw);
    const { data: message } = schema.safeParse(said);
    if (message) return { message };
    const given = named.safeParse(said).data?.id;
    const readable = typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, ID_MOST) : '';
    return { error: id.safeParse(given).success ? 'malformed' : 'bad-id', id: readable };
  } catch {
    return { error: 'malformed', id: '' };
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
