import { HOUR, later } from '@hatchway/domain/deadlines.ts';
import { checkReceiver, type ReceiverField } from '@hatchway/domain/receiver.ts';
import type { Price } from '@hatchway/domain/price.ts';
import type { Size } from '@hatchway/domain/terms.ts';
import { majorOf, priceOf } from '../../app/money.ts';
import type { Occupation } from '../../app/queries.ts';
import { pieces } from './numbers.ts';
import { after, type Plan, type StepId } from './plan.ts';

/** What was typed and chosen so far. Kept in sessionStorage, so that a reload loses nothing. */
export type Draft = {
  step: StepId;
  /** The asset step's field: free text, and what filters the list. */
  text: string;
  asset: { id: string; name: string } | null;
  /** The asset that somebody went on with though it is in use elsewhere: they are asked once. */
  sureOf: string | null;
  /** Typed numbers stay as they were typed until they are registered. */
  quantity: string;
  refillLevel: string;
  price: string;
  currency: string;
  orderRef: string;
  /** The order that was picked, and the content that it brought; null where the number is written alone. */
  order: { id: string; content: string | null } | null;
  /** The number of the asset tool's request that it fulfils. */
  request: string;
  receiver: { name: string; tlf: string; email: string };
  /** The receiver is the one before: the step that asks for them is passed over. */
  samePerson: boolean;
  /** Hours: how long it is lent, or lies in storage; null leaves it to the policy. */
  hours: number | null;
  /** When those hours end, settled as the registration is sent. */
  until: string | null;
  /** The smallest size that will do; null leaves it to the best fit. */
  size: Size | null;
  /** The size of the door that was given up last: another one is as large. */
  least: Size | null;
  cabinetId: string | null;
  /** Chosen by hand, or gone on with; null takes the best fit. */
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
  sureOf: null,
  quantity: '1',
  refillLevel: '',
  price: '',
  currency: 'NOK',
  orderRef: '',
  order: null,
  request: '',
  receiver: { name: '', tlf: '', email: '' },
  samePerson: false,
  hours: null,
  until: null,
  size: null,
  least: null,
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
  samePerson: true,
  cabinetId: draft.cabinetId,
});

/** Something was typed or picked that closing the window would lose. */
export const isBegun = (draft: Draft): boolean =>
  draft.asset !== null ||
  [draft.text, draft.orderRef, draft.request, draft.note, draft.price, draft.refillLevel, ...Object.values(draft.receiver)].some(
    (typed) => typed.trim() !== '',
  );

/** Where the screen says what is lacking, which a field that it is about points to. */
export const FAULT_ID = 'step-fault';

export type Field = ReceiverField | 'quantity' | 'refillLevel' | 'price';
export type Fault =
  | { alert: 'asset' }
  /** Neither an order nor anything else says what lies inside. */
  | { alert: 'order' }
  /** Fields of the step that are missing or wrong: a person's, or numbers. */
  | { alert: 'receiver'; fields: readonly Field[] }
  /** No door is free, so that there is nothing to go on with. */
  | { alert: 'locker' };

const fieldsWrong = (fields: readonly Field[]): Fault | null => (fields.length === 0 ? null : { alert: 'receiver', fields });
const person = (draft: Draft): readonly Field[] => {
  const answer = checkReceiver(draft.receiver);
  return answer.ok ? [] : answer.fields;
};
const stock = (draft: Draft): readonly Field[] => [
  ...(pieces(draft.quantity, 1) === null ? (['quantity'] as const) : []),
  ...(draft.refillLevel.trim() !== '' && pieces(draft.refillLevel, 0) === null ? (['refillLevel'] as const) : []),
];

export const lacksContent = (draft: Draft): boolean => draft.asset === null && draft.text.trim() === '';

/** What a step lacks before the next may come; null where nothing does. An order among `steps` may bring what lies inside. */
export function faultIn(draft: Draft, step: StepId, steps: readonly StepId[], plan: Plan): Fault | null {
  switch (step) {
    case 'asset':
      if (lacksContent(draft) && !steps.includes('order')) return { alert: 'asset' };
      return plan.type === 'consumable' ? fieldsWrong(stock(draft)) : null;
    case 'price':
      return fieldsWrong([
        ...(priceOf(draft.price, draft.currency) === null ? (['price'] as const) : []),
        ...stock({ ...draft, refillLevel: '' }),
      ]);
    case 'receiver':
      return fieldsWrong(person(draft));
    case 'summary':
      return plan.asks === 'owner' ? fieldsWrong(person(draft)) : null;
    case 'order':
      if (!lacksContent(draft)) return null;
      return { alert: orderNumber(draft) === '' ? 'order' : 'asset' };
    case 'request':
    case 'locker':
      return null;
  }
}

/** Where it is mended: what no order brought is written where things are picked. */
export const mendedAt = (fault: Fault, step: StepId): StepId => (fault.alert === 'asset' ? 'asset' : step);

/** The first step that lacks something: nobody reaches the summary past a hole, by address or by reload. `to`: the steps before it alone. */
export function firstFault(draft: Draft, steps: readonly StepId[], plan: Plan, to?: StepId): { step: StepId; fault: Fault } | null {
  for (const step of to === undefined ? steps : steps.slice(0, steps.indexOf(to))) {
    const fault = faultIn(draft, step, steps, plan);
    if (fault !== null) return { step: mendedAt(fault, step), fault };
  }
  return null;
}

/** The step after this one. Where the same person gets one parcel more, there is nothing to be asked of them again. */
export function stepAfter(draft: Draft, step: StepId, steps: readonly StepId[], plan: Plan): StepId {
  if (!draft.samePerson) return after(steps, step);
  const ahead = steps.filter((one) => one !== 'receiver' || one === step || faultIn(draft, one, steps, plan) !== null);
  return after(ahead, step);
}

export type Registration = {
  type: Plan['type'];
  service?: 'selfservice';
  lockerId: string;
  assetId?: string;
  assetUnused?: true;
  assetText?: string;
  orderRef?: string;
  externalRef?: string;
  receiver?: { name: string; tlf: string | null; email: string | null };
  quantity?: number;
  refillLevel?: number;
  price?: Price;
  loanHours?: number;
  pickupBy?: string;
  note?: string;
};

/** The order's number. A shop prints a sign before it that is no part of it; a picked order's stands as the shop has it. */
export const orderNumber = ({ order, orderRef }: Pick<Draft, 'order' | 'orderRef'>): string =>
  order === null ? orderRef.trim().replace(/^#\s*/, '') : orderRef.trim();

/** The draft as POST /occupations takes it, for the door that was chosen. */
export function registrationOf(draft: Draft, plan: Plan, lockerId: string): Registration {
  const registration: Registration = { type: plan.type, lockerId };
  if (plan.service !== undefined) registration.service = plan.service;
  if (draft.asset !== null) {
    registration.assetId = draft.asset.id;
    if (draft.sureOf !== draft.asset.id) registration.assetUnused = true;
  } else if (draft.text.trim() !== '') registration.assetText = draft.text.trim();
  const orderRef = orderNumber(draft);
  if (orderRef !== '') registration.orderRef = orderRef;
  if (draft.request !== '') registration.externalRef = draft.request;
  if (plan.steps.includes('receiver') || plan.asks === 'owner') {
    const answer = checkReceiver(draft.receiver);
    if (answer.ok) registration.receiver = answer.receiver;
  }
  if (plan.stock) {
    registration.quantity = pieces(draft.quantity, 1) ?? 1;
    const level = plan.type === 'consumable' ? pieces(draft.refillLevel, 0) : null;
    if (level !== null) registration.refillLevel = level;
  }
  const amount = plan.steps.includes('price') ? priceOf(draft.price, draft.currency) : null;
  if (amount !== null) registration.price = { amount, currency: draft.currency };
  if (draft.hours !== null && plan.asks === 'loan-time') registration.loanHours = draft.hours;
  if (draft.until !== null && plan.asks === 'owner') registration.pickupBy = draft.until;
  if (draft.note.trim() !== '') registration.note = draft.note.trim();
  return registration;
}

/** Hours become a moment once: a registration that is sent again says the same. */
export const settled = (draft: Draft, now: number): Draft => ({
  ...draft,
  until: draft.hours === null ? null : later(new Date(now).toISOString(), draft.hours * HOUR),
});

/** Another door after one was lost: what was typed stays, the registration is a new one. */
export const withoutDoor = (draft: Draft, { id, size }: { id: string; size: Size | null }, key: string): Draft => ({
  ...draft,
  key,
  lockerId: null,
  least: size,
  tried: draft.tried.includes(id) ? draft.tried : [...draft.tried, id],
});

export const assetName = (draft: Draft): string => draft.asset?.name ?? draft.text.trim();

type Spoken = Pick<
  Occupation,
  | 'type'
  | 'assetId'
  | 'assetText'
  | 'assetName'
  | 'orderRef'
  | 'externalRef'
  | 'receiver'
  | 'quantity'
  | 'refillLevel'
  | 'loanHours'
  | 'price'
> &
  Pick<Occupation, 'pickupBy' | 'note' | 'createdAt'>;

/** What was said of it, as it would be said anew. */
export const saidOf = (one: Spoken): Partial<Draft> => ({
  text: one.assetName ?? one.assetText ?? '',
  asset: one.assetId === null ? null : { id: one.assetId, name: one.assetName ?? '' },
  receiver: receiverOf(one),
  orderRef: one.orderRef ?? '',
  request: one.externalRef ?? '',
  note: one.note ?? '',
  quantity: String(one.quantity ?? 1),
  refillLevel: String(one.refillLevel ?? ''),
  ...(one.price === null ? {} : { price: String(majorOf(one.price.amount, one.price.currency)), currency: one.price.currency }),
  hours:
    one.type === 'storage' && one.pickupBy !== null
      ? Math.round((Date.parse(one.pickupBy) - Date.parse(one.createdAt)) / HOUR)
      : one.loanHours,
});

/** Who it is for, as fields have it. */
export const receiverOf = (one: Pick<Occupation, 'receiver'> | null): Draft['receiver'] => ({
  name: one?.receiver?.name ?? '',
  tlf: one?.receiver?.tlf ?? '',
  email: one?.receiver?.email ?? '',
});
