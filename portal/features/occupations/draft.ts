import { checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import type { Size } from '@hatchway/domain/terms.ts';
import type { Plan, StepId } from './plan.ts';

/** What was typed and chosen so far. Kept in sessionStorage, so that a reload loses nothing. */
export type Draft = {
  step: StepId;
  /** The asset step's field: free text, and what filters the list. */
  text: string;
  asset: { id: string; name: string } | null;
  orderRef: string;
  receiver: { name: string; tlf: string; email: string };
  /** The smallest size that will do; null leaves it to the best fit. */
  size: Size | null;
  cabinetId: string | null;
  /** Chosen by hand; null takes the best fit. */
  lockerId: string | null;
  /** Doors that were lost, refused or found full: not suggested again. */
  tried: readonly string[];
  note: string;
  /** Idempotency-Key of the registration: the same until something that is registered changes. */
  key: string;
};

export const emptyDraft = (step: StepId, key: string): Draft => ({
  step,
  text: '',
  asset: null,
  orderRef: '',
  receiver: { name: '', tlf: '', email: '' },
  size: null,
  cabinetId: null,
  lockerId: null,
  tried: [],
  note: '',
  key,
});

/** The next parcel for the same person: only the person and the place are kept. */
export const nextParcel = (draft: Draft, step: StepId, key: string): Draft => ({
  ...emptyDraft(step, key),
  receiver: draft.receiver,
  cabinetId: draft.cabinetId,
});

export type Fault =
  | { alert: 'asset' }
  | { alert: 'receiver'; fields: readonly ReceiverField[] }
  /** No door is free, so that there is nothing to go on with. */
  | { alert: 'locker' };

/** What a step lacks before the next may come; null where nothing does. */
export function faultIn(draft: Draft, step: StepId, country: string): Fault | null {
  if (step === 'asset') return draft.asset === null && draft.text.trim() === '' ? { alert: 'asset' } : null;
  if (step === 'receiver') {
    const answer = checkReceiver(draft.receiver, country);
    return answer.ok ? null : { alert: 'receiver', fields: answer.fields };
  }
  return null;
}

/** The first step that lacks something: nobody reaches the summary past a hole, by address or by reload. */
export function firstFault(draft: Draft, steps: readonly StepId[], country: string): { step: StepId; fault: Fault } | null {
  for (const step of steps) {
    const fault = faultIn(draft, step, country);
    if (fault !== null) return { step, fault };
  }
  return null;
}

export type Registration = {
  type: Plan['type'];
  service?: 'selfservice';
  lockerId: string;
  assetId?: string;
  assetText?: string;
  orderRef?: string;
  receiver?: { name: string; tlf: string | null; email: string | null };
  note?: string;
};

/** The draft as POST /occupations takes it, for the door that was chosen. */
export function registrationOf(draft: Draft, plan: Plan, lockerId: string, country: string): Registration {
  const registration: Registration = { type: plan.type, lockerId };
  if (plan.service !== undefined) registration.service = plan.service;
  if (draft.asset !== null) registration.assetId = draft.asset.id;
  else if (draft.text.trim() !== '') registration.assetText = draft.text.trim();
  if (draft.orderRef.trim() !== '') registration.orderRef = draft.orderRef.trim();
  if (plan.steps.includes('receiver')) {
    const answer = checkReceiver(draft.receiver, country);
    if (answer.ok) registration.receiver = answer.receiver;
  }
  if (draft.note.trim() !== '') registration.note = draft.note.trim();
  return registration;
}

/** Another door after one was lost: what was typed stays, the registration is a new one. */
export const withoutDoor = (draft: Draft, lockerId: string, key: string): Draft => ({
  ...draft,
  key,
  lockerId: null,
  tried: draft.tried.includes(lockerId) ? draft.tried : [...draft.tried, lockerId],
});

export const assetName = (draft: Draft): string => draft.asset?.name ?? draft.text.trim();
