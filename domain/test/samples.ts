import type { Actor } from '../history.ts';
import type { Context, Occupation } from '../occupation-types.ts';
import { rulesFor } from '../policy.ts';
import { STAGES, type OccupationType, type Stage } from '../terms.ts';

export const NOW = '2026-03-02T12:00:00.000Z';
export const STAFF: Actor = { kind: 'person', id: 'p1', name: 'Kari' };
export const HOLDER: Actor = { kind: 'person', id: null, name: 'Ola' };
export const minutes = (count: number): string => new Date(Date.parse(NOW) + count * 60_000).toISOString();

/** An occupation as it looks after some time in that stage. */
export function occupationIn(stage: Stage, type: OccupationType, more: Partial<Occupation> = {}): Occupation {
  const claiming = stage === STAGES.CLAIMING;
  const ended = stage >= STAGES.TERMINATED;
  return {
    id: 'o1',
    tenantId: 't1',
    type,
    service: type,
    stage,
    version: 7,
    resumeStage: claiming ? STAGES.ACQUIRABLE : null,
    lockerId: 'l1',
    doorTag: 'A-01',
    assetId: null,
    assetText: 'a thing',
    orderRef: null,
    externalRef: null,
    receiver: { name: 'Ola', tlf: '+4799999999', email: null },
    quantity: type === 'consumable' || type === 'sale' ? 3 : 1,
    held: claiming && (type === 'consumable' || type === 'sale') ? 1 : 0,
    refillLevel: null,
    loanHours: null,
    price: null,
    policyRef: null,
    claimedBy: claiming ? HOLDER : null,
    claimQuantity: claiming ? 1 : null,
    claimPaymentId: null,
    claimPaymentUsed: false,
    claimDueAt: null,
    claimReplaced: null,
    claimOpenedAt: claiming ? minutes(-10) : null,
    doorOpenedAt: stage === STAGES.INITIATED ? minutes(-5) : null,
    doorClosedAt: null,
    reservedUntil: minutes(-1),
    reservedFrom: minutes(-31),
    pickupBy: null,
    pickupFrom: null,
    contactError: null,
    note: null,
    createdBy: STAFF,
    createdAt: minutes(-31),
    endedAt: ended ? '2025-01-01T00:00:00.000Z' : null,
    ...more,
  };
}

export function context(more: Partial<Context> = {}): Context {
  return {
    now: NOW,
    actor: STAFF,
    as: 'staff',
    rules: rulesFor(null, 'delivery'),
    expectedVersion: null,
    openLoan: false,
    payment: null,
    target: { id: 'l2', doorTag: 'A-02', free: true, inDoubt: false, outOfService: false, services: [] },
    sensed: null,
    unheard: null,
    sensedSince: null,
    sensedBefore: null,
    mayBeGone: false,
    doubt: null,
    spoken: false,
    activeOfPerson: 0,
    takingOut: false,
    out: null,
    opening: false,
    openedByHolder: false,
    lendable: true,
    offline: [],
    wasSilent: false,
    unanswered: false,
    retentionDays: 90,
    ...more,
  };
}
