import type { Tx } from '../db/database.ts';

/** Work that follows a commit, by name. `jobs/handlers.ts` says who does it. */
export type Job =
  /** Send one queued message. */
  | { name: 'message'; tenantId: string; messageId: string }
  /** What a message was billed at is asked of its gateway. */
  | { name: 'sms-price'; tenantId: string; messageId: string; tries: number }
  /** Look at an occupation again at a time; the rule decides anew whether the command holds. */
  | { name: 'look-again'; tenantId: string; occupationId: string; command: 'fill' | 'finnish' | 'claim-failed' | 'expire-reservation' }
  /** An asset was put into a locker at that time (ISO): another one whose record has it too is in doubt. */
  | { name: 'doubt-elsewhere'; tenantId: string; occupationId: string; at: string }
  /** A door command was committed and must be answered, also after the process that sent it is gone. */
  | { name: 'settle-command'; tenantId: string; commandId: string }
  /** A payment's ten minutes are over: what it holds is on sale again unless a claim stands on it. */
  | { name: 'payment-over'; tenantId: string; paymentId: string }
  /** A payment's provider is asked: what is wanted of it first, then how the payment stands. */
  | { name: 'payment-provider'; tenantId: string; paymentId: string }
  /** A company's shop is asked what was changed. */
  | { name: 'shop'; tenantId: string }
  /** A company's Microsoft directory is asked what was changed. */
  | { name: 'entra'; tenantId: string }
  /** What a company's people hold by its directory is looked at again, as far as it waits. */
  | { name: 'directory'; tenantId: string }
  /** An asset tool of a company is told what it is to be told, and asked what was changed. */
  | { name: 'tool'; tenantId: string; integrationId: string }
  /** One attempt at one delivery to a webhook; `failing`: to one that did not answer well the last time, which has places of its own. */
  | { name: 'webhook'; tenantId: string; deliveryId: string; failing?: true }
  /** Every minute, for each company: overdue marks, reminders, expired reservations, archive, spent keys. */
  | { name: 'sweep'; tenantId: string };

export type Jobs = {
  /** Enqueued by the business transaction: it exists if and only if that commits. `at`: not before (ISO). `key`: at most one waiting with the same key. */
  enqueue(tx: Tx, job: Job, options?: { at?: string; key?: string }): Promise<void>;
  /** Finishes what is being worked on, takes nothing new. */
  stop(): Promise<void>;
};
