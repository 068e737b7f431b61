import type { DomainEvent, Effect, Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { setContent } from '../lockers/commands.ts';
import { amendBorrower, amendLoan, closeLoan, openLoan } from './loans.ts';
import { cancelOpenMoney, captureTaken, letMoneyGo, moveMoney } from './money.ts';
import { remindByHand } from './overdue.ts';
import { endSecrets, giveSecrets } from './secret-commands.ts';
import { tellReceiver, tellStaff } from './telling-commands.ts';

/** The sweep of each minute sees this far ahead: a reservation that ends later has no job of its own, since few reach their end. */
export const SWEPT_MS = 2 * 60_000;

/** Jobs of one occupation at one time are one job. */
export const lookAgain = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  occupationId: string,
  command: Extract<Effect, { kind: 'look-again' }>['command'],
  at: string,
): Promise<void> => {
  if (command === 'expire-reservation' && Date.parse(at) - Date.parse(scope.now) > SWEPT_MS) return;
  await deps.jobs.enqueue(
    tx,
    { name: 'look-again', tenantId: scope.tenantId, occupationId, command },
    { at, key: `${occupationId}:${command}:${at}` },
  );
};

const living = async (tx: Tx, scope: Scope, id: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('occupations')
    .select('token_hash')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return (row?.token_hash ?? null) !== null;
};

type ContentEffect = Extract<Effect, { kind: 'content' }>;

/**
 * What is believed of a locker's content after a change. Answers the event that the history needs beside the change's own: nobody knows
 * any more what lies there, and why. Of an opening that nobody asked for the door's own event says so.
 */
const believeIt = async (tx: Tx, scope: Scope, effect: ContentEffect): Promise<DomainEvent | null> => {
  const { content, why } = effect;
  const doubted = await setContent(tx, scope, effect.lockerId, { kind: 'occupation', content, why });
  return doubted && why !== 'unexpected-opening' ? { type: 'locker_unknown', data: { why } } : null;
};

const carryOut = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, effect: Exclude<Effect, ContentEffect>): Promise<void> => {
  switch (effect.kind) {
    case 'notify':
      if (effect.reason === 'reminder') return remindByHand(tx, deps, scope, o, effect.channel);
      return tellReceiver(tx, deps, scope, o, effect.reason, effect.channel);
    case 'tell-receiver':
      return tellReceiver(tx, deps, scope, o, effect.reason, null);
    case 'tell-staff':
      return tellStaff(tx, deps, scope, o, effect.reason);
    case 'open-loan':
      return openLoan(tx, scope, o, effect);
    case 'close-loan':
      return closeLoan(tx, scope, o, effect);
    case 'amend-loan':
      return amendLoan(tx, scope, o, effect);
    case 'amend-borrower':
      return void (await amendBorrower(tx, scope, o, effect));
    case 'capture-payment':
      return captureTaken(tx, deps, scope, o, effect.paymentId);
    case 'cancel-payment':
      return moveMoney(tx, deps, scope, o, effect.paymentId, { kind: 'cancel' });
    case 'refund-payment':
      return moveMoney(tx, deps, scope, o, effect.paymentId, { kind: 'refund' });
    case 'let-payment-go':
      return letMoneyGo(tx, deps, scope, o, effect.paymentId);
    case 'cancel-open-payments':
      return cancelOpenMoney(tx, deps, scope, o, effect.except);
    case 'secrets-wake':
      if (o.receiver !== null && !(await living(tx, scope, o.id))) await giveSecrets(tx, deps, scope.tenantId, o.id);
      return;
    case 'secrets-die':
      return endSecrets(tx, scope.tenantId, o.id, effect.at, scope.now);
    case 'look-again':
      return lookAgain(tx, deps, scope, o.id, effect.command, effect.at);
    // Whose the locker is stands in the occupation's own row; the message's fate is read by the command that called, which calls anew too.
    case 'take-locker':
    case 'release-locker':
    case 'secrets-sleep':
    case 'settle-message':
    case 'call-there':
      return;
  }
};

/**
 * Carries out what a change demands, in its transaction, after the occupation itself was saved. Answers what the history needs beside the
 * change's own events. Secrets are not put to sleep here: a sleeping one is one whose occupation is VACANT without a loan, where no right
 * opens anything.
 */
export const runEffect = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, effect: Effect): Promise<DomainEvent | null> => {
  if (effect.kind === 'content') return believeIt(tx, scope, effect);
  await carryOut(tx, deps, scope, o, effect);
  return null;
};
