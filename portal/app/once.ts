import { ApiError, type Call, type Client } from '@hatchway/contract/client.ts';

/**
 * What makes or sends something. Not here: what opens a door, which pressed again is to open it; what hands a secret to somebody who
 * waits for it; and money and registrations, which screens keep keys of their own for: two customers may wish for the very same.
 */
const MAKES: ReadonlySet<string> = new Set<Call>([
  'POST /asset-groups',
  'POST /assets',
  'POST /assets/import',
  'POST /cabinets',
  'POST /companies/{tenant}/invitations',
  'POST /companies/{tenant}/invitations/{id}/resend',
  'POST /groups',
  'POST /key',
  'POST /links',
  'POST /lockers',
  'POST /messages/{id}/send',
  'POST /occupations/bulk',
  'POST /permissions',
  'POST /policies',
  'POST /sites',
  'POST /statuslabels',
  'POST /webhooks',
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay',
  'POST /webhooks/{id}/test',
]);

/** Ms. Asked for later than that, it is another wish. */
const MEANT = 10 * 60_000;

type Sent = Blob & { readonly name?: string; readonly lastModified?: number };
type Asked = { params?: unknown; body?: unknown; image?: Sent; file?: Sent; idempotencyKey?: string };

const markOf = (file: Sent | undefined) => file && [file.name, file.size, file.type, file.lastModified];

/**
 * Whether a failure says that nothing was done. Not where no answer came, or one that says nothing of the wish: the server is at a loss
 * or still at it, asks to wait, or does not know who asks.
 */
export const isAnswered = (failure: unknown): boolean =>
  failure instanceof ApiError &&
  failure.status < 500 &&
  failure.status !== 401 &&
  failure.status !== 429 &&
  failure.problem?.code !== 'still-running';

/**
 * The client, for which what was asked and got no answer is the same request when it is asked once more, and so is done once. What was
 * answered, with whatever, is done with.
 */
export const once = (client: Client, now: () => number = Date.now): Client => {
  const unanswered = new Map<string, { key: string; at: number }>();
  const ask = client as (call: string, input?: Asked) => Promise<unknown>;
  const call = async (name: string, input: Asked = {}): Promise<unknown> => {
    if (!MAKES.has(name) || input.idempotencyKey !== undefined) return ask(name, input);
    const wish = JSON.stringify([name, input.params, input.body, markOf(input.image), markOf(input.file)]);
    const before = unanswered.get(wish);
    const meant = before !== undefined && now() - before.at < MEANT ? before : { key: crypto.randomUUID(), at: now() };
    unanswered.set(wish, meant);
    try {
      const answer = await ask(name, { ...input, idempotencyKey: meant.key });
      unanswered.delete(wish);
      return answer;
    } catch (failure) {
      if (isAnswered(failure)) unanswered.delete(wish);
      throw failure;
    }
  };
  return Object.assign(call, { page: client.page.bind(client) }) as Client;
};
