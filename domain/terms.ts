/** The closed lists of the product. Spellings are those of the wire (`finnish` included). */

export const STAGES = {
  RESERVED: 0,
  INITIATED: 1,
  FILLED: 2,
  ACQUIRABLE: 3,
  CONTACTING: 4,
  CONTACTED: 5,
  CLAIMING: 6,
  VACANT: 7,
  TERMINATED: 98,
  ARCHIVED: 99,
} as const;
export type StageName = keyof typeof STAGES;
export type Stage = (typeof STAGES)[StageName];
export const STAGE_NAMES = Object.keys(STAGES) as readonly StageName[];
export const STAGE_NUMBERS = Object.values(STAGES) as readonly Stage[];

const NAME_OF = new Map<Stage, StageName>(STAGE_NAMES.map((name) => [STAGES[name], name]));
export function stageName(stage: Stage): StageName {
  return NAME_OF.get(stage) ?? 'ARCHIVED';
}
export function isStage(value: unknown): value is Stage {
  return STAGE_NUMBERS.some((stage) => stage === value);
}
/** Below TERMINATED: the occupation still has its locker. */
export function isActive(stage: Stage): boolean {
  return stage < STAGES.TERMINATED;
}

export const OCCUPATION_TYPES = ['drop-off', 'storage', 'delivery', 'lending', 'consumable', 'sale', 'recall'] as const;
export type OccupationType = (typeof OCCUPATION_TYPES)[number];

/** The services that occupations are of: their types, and self-service, whose type is delivery. */
export const OCCUPATION_SERVICES = [...OCCUPATION_TYPES, 'selfservice'] as const;
export type OccupationService = (typeof OCCUPATION_SERVICES)[number];

/** Somebody outside is asked to bring it; staff alone take it out. */
export function isAsked(type: OccupationType): boolean {
  return type === 'drop-off' || type === 'recall';
}

export const ACTIONS = ['publish', 'return', 'empty', 'reset', 'send', 'finnish', 'extract', 'fill'] as const;
export type Action = (typeof ACTIONS)[number];

/** What a person can start in the portal; the words are those of the addresses under /services/. */
export const SERVICES = [
  'delivery',
  'selfservice',
  'storage',
  'lending',
  'consumable',
  'sale',
  'storefront',
  'recall',
  'drop-off',
  'lock-control',
] as const;
export type Service = (typeof SERVICES)[number];

const KIND_OF: Readonly<Partial<Record<Service, OccupationType>>> = { selfservice: 'delivery', storefront: 'sale' };
/** A list of services that names one of these is for this one too: self-service is a delivery whose asset comes from elsewhere. */
export function namesFor(service: Service): readonly Service[] {
  const kind = KIND_OF[service];
  return kind === undefined ? [service] : [service, kind];
}

/** The portal roles; each gives entry to the portal. */
export const ROLES = [
  'admin',
  'all',
  'asset_manager',
  'manager',
  'sale_manager',
  'delivery_manager',
  'lending_manager',
  'consumable_manager',
  'recall_manager',
  'drop-off_manager',
] as const;
export type Role = (typeof ROLES)[number];

/** `sale` opens menus, `sales` opens the sale service: a company that sells is given both. */
export const LICENSES = ['delivery', 'sale', 'sales', 'lending', 'storage', 'consumable', 'recall', 'integrator'] as const;
export type License = (typeof LICENSES)[number];

export const SCOPES = ['manage', 'delivery', 'lending', 'sale', 'storage'] as const;
export type Scope = (typeof SCOPES)[number];

export const LOCKER_RESOURCE = 'urn:pml:resources:locker';
const SCOPE_PREFIX = `${LOCKER_RESOURCE}:scopes:`;
export function scopeUrn(scope: Scope): string {
  return SCOPE_PREFIX + scope;
}
/** The scope that a URN or its short word names; null for anything else. */
export function scopeOf(urnOrWord: string): Scope | null {
  const word = urnOrWord.startsWith(SCOPE_PREFIX) ? urnOrWord.slice(SCOPE_PREFIX.length) : urnOrWord;
  return SCOPES.find((scope) => scope === word) ?? null;
}

/** In order of size: a thing that fits one fits all after it. */
export const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;
export type Size = (typeof SIZES)[number];
export const REACHES = ['low', 'middle', 'high'] as const;
export type Reach = (typeof REACHES)[number];
export const DOOR_STATES = ['opened', 'closed', 'unknown'] as const;
export type DoorState = (typeof DOOR_STATES)[number];
export const LOCK_STATES = ['locked', 'unlocked', 'unknown'] as const;
export type LockState = (typeof LOCK_STATES)[number];
export const CONTENT_STATES = ['empty', 'occupied', 'unknown'] as const;
export type ContentState = (typeof CONTENT_STATES)[number];
export const CONNECTIONS = ['online', 'offline'] as const;
export type Connection = (typeof CONNECTIONS)[number];
export const PAYMENT_STATES = ['initiated', 'reserved', 'captured', 'cancelled', 'refunded'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const COMMAND_OUTCOMES = ['opened', 'locked', 'refused', 'no-answer', 'offline'] as const;
export type CommandOutcome = (typeof COMMAND_OUTCOMES)[number];
/** The controller's code for a refusal after which nobody can say whether the door opened: the lock let go, the sensor saw nothing. */
export const NOT_SEEN = 'door-not-seen-open';

/** How an occupation came to its end: taken by its receiver, taken out by staff, or called off. */
export const END_REASONS = ['taken', 'taken-out', 'cancelled'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** What stands at a message whose reason was gone before its turn came: nothing failed, and sent again it would say what holds no more. */
export const NOT_NEEDED = 'no longer needed';
/** And why one did not go out whose receiver would have found nothing, for all that anybody knows. */
export const IN_DOUBT = 'what lies in the locker is not known';

/** Whether an asset with a status label of this type may be lent out; null: it bears none. */
export const letsOut = (label: string | null): boolean => label === null || label === 'deployable';
