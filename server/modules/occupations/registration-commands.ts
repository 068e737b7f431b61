import type { Facts } from '@hatchway/domain/access.ts';
import { checkReceiver, type Receiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import type { Command } from '@hatchway/domain/occupation-types.ts';
import type { Policy } from '@hatchway/domain/policy.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { Problem, ruled } from '../../http/problem.ts';
import { phoneFault, phoneNumber } from '../../phone.ts';
import type { Scope } from '../../scope.ts';
import { apply } from './commands.ts';
import { oneOccupation } from './queries.ts';
import { register, registerReading, type Registered, type Registration } from './register.ts';

export type ReceiverInput = { name: string; tlf?: string | null | undefined; email?: string | null | undefined };

const RECEIVER_LACKS: Readonly<Record<Exclude<ReceiverField, 'tlf'>, string>> = {
  name: 'needs a name of at most 100 characters',
  email: 'has an e-mail address that is none',
  contact: 'needs a phone number or an e-mail address',
};

/** The receiver as it is kept. Throws Problem `rule` with a pointer for each wrong field. */
export const receiverOf = ({ country }: Pick<Caller, 'country'>, input: ReceiverInput | undefined): Receiver | undefined => {
  if (input === undefined) return undefined;
  const fault = input.tlf?.trim() ? phoneFault(input.tlf, country, 'sms') : null;
  const answer = checkReceiver({ name: input.name, tlf: input.tlf ?? null, email: input.email ?? null }, (typed) =>
    fault === null ? (phoneNumber(typed, country)?.number ?? null) : null,
  );
  if (answer.ok) return answer.receiver;
  const errors = answer.fields.map((field) => ({
    pointer: field === 'contact' ? '/receiver' : `/receiver/${field}`,
    detail: field === 'tlf' ? `has a number that ${fault?.detail ?? ''}` : RECEIVER_LACKS[field],
  }));
  throw new Problem('rule', `The receiver ${errors.map(({ detail }) => detail).join(', and ')}`, {
    errors,
    ...(fault && errors.length === 1 ? { data: fault.data } : {}),
  });
};

/** A drop-off that an outside person begins with an access link: on a door that was chosen, else on the best that the link reaches. */
export const registerDropOff = (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  input: { lockerId?: string | undefined; note?: string | undefined },
  right: Facts,
): Promise<Registered> => register(tx, deps, scope, { type: 'drop-off', ...input, receiver: null }, right);

/** Two words for one thing would leave it open which of them holds. */
const saidOnce = (input: Input): void => {
  if (input.assetId !== undefined && input.assetText !== undefined) throw ruled('A registered asset or a text, not both', '/assetText');
  if (input.lockerId !== undefined && input.size !== undefined) throw ruled('A locker or a size, not both', '/size');
};

type Input = Omit<Registration, 'receiver'> & { receiver?: ReceiverInput | undefined };

/** `POST /occupations` but for HTTP (the bench runs it bare): registers in the caller's right, then does what was asked with it, and answers the row. */
export const registeredFor = async (tx: Tx, deps: Deps, caller: Caller, now: string, input: Input, then: readonly Command[] = []) => {
  const scope = scopeOf(caller, now);
  saidOnce(input);
  const receiver = receiverOf(caller, input.receiver) ?? null;
  const one = (id: string, policies: readonly Policy[]) =>
    oneOccupation(tx, { scope, facts: caller.facts, silences: deps.pace }, id, policies);
  const { occupation, fit, policies, read } = await registerReading(tx, deps, scope, { ...input, receiver }, caller.facts, (id, known) =>
    then.length > 0 ? Promise.resolve(null) : one(id, known),
  );
  for (const command of then) await apply(tx, deps, scope, occupation.id, command, { as: 'staff' });
  return { ...(read ?? (await one(occupation.id, policies))), fit };
};
