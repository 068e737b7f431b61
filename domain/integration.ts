/** What a company may connect, by kind: its type, and the names of what it is set up with. Secrets are written and never read. */
export const INTEGRATIONS = {
  vipps: { type: 'payment', settings: ['merchantSerialNumber', 'clientId', 'testMode'], secrets: ['clientSecret', 'subscriptionKey'] },
  woo: { type: 'shop', settings: ['url', 'handedOver', 'fetched'], secrets: ['consumerKey', 'consumerSecret'] },
  entra: { type: 'directory', settings: ['tid'], secrets: [] },
  tcm: { type: 'tool', settings: ['url'], secrets: ['apiKey'] },
  snipeit: { type: 'tool', settings: ['url'], secrets: ['token'] },
} as const;
export type IntegrationKind = keyof typeof INTEGRATIONS;
/** What an outside asset tool may be. */
export const TOOL_KINDS = ['tcm', 'snipeit'] as const satisfies readonly IntegrationKind[];
export type ToolKind = (typeof TOOL_KINDS)[number];
export const isToolKind = (word: string): word is ToolKind => (TOOL_KINDS as readonly string[]).includes(word);
/** A key of Snipe-IT is a signed token of a thousand characters and more. */
export const MOST_SECRET = 4000;

/** What a shop is told of a parcel of one of its orders; complete: a note, and the order is put to completed after its last parcel. */
export const WRITE_BACKS = ['nothing', 'note', 'complete'] as const;
export type WriteBack = (typeof WRITE_BACKS)[number];

/** unverified: saved, and nobody has seen it work. */
export const INTEGRATION_STATES = ['unverified', 'active', 'failing', 'disabled'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** What is wrong with the keys of a payment provider or a shop, as its `lastError` says it; anything else there is its own words. */
export const KEY_FAULTS = [
  'wrong-client-id',
  'wrong-client-secret',
  'wrong-subscription-key',
  'wrong-merchant',
  'keys-refused',
  'keys-missing',
  /** What answers there is no shop of this kind. */
  'not-a-shop',
] as const;
export type KeyFault = (typeof KEY_FAULTS)[number];
export const isKeyFault = (word: string): word is KeyFault => (KEY_FAULTS as readonly string[]).includes(word);

/** What an asset tool refuses, as far as we have words for it; anything else is its own words. */
export const TOOL_FAULTS = [
  'keys-refused',
  /** It takes the key, and not for this. */
  'key-too-narrow',
  /** What answers there is no tool of this kind. */
  'not-a-tool',
  'asset-unknown',
  'request-unknown',
  'condition-unknown',
  /** It knows nobody by that e-mail address, or more than one. */
  'person-unknown',
  'person-ambiguous',
  'out-already',
  /** What came back, somebody else has by now. */
  'out-to-another',
  'not-lendable',
] as const;
export type ToolFault = (typeof TOOL_FAULTS)[number];
export const isToolFault = (word: string): word is ToolFault => (TOOL_FAULTS as readonly string[]).includes(word);

/** An address as it is kept: what was typed around it, and a stroke at its end, name nothing else. */
export function bareAddress(typed: string): string {
  return typed.trim().replace(/\/+$/, '');
}

/** Whether it would talk to another address than before, which has no claim to the secrets that were given for that one. */
export function isElsewhere(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  const address = (settings: Readonly<Record<string, unknown>>) => bareAddress(typeof settings['url'] === 'string' ? settings['url'] : '');
  return address(before) !== address(after);
}

/** Whether payments of before would be looked for with a provider that does not know them. */
export function isOtherMerchant(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  return (['merchantSerialNumber', 'testMode'] as const).some((name) => (before[name] ?? false) !== (after[name] ?? false));
}

export function isIntegrationKind(word: string): word is IntegrationKind {
  return Object.hasOwn(INTEGRATIONS, word);
}
