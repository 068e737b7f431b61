/** What a company may connect, by kind: its type, and the names of what it is set up with. Secrets are written and never read. */
export const INTEGRATIONS = {
  vipps: { type: 'payment', settings: ['merchantSerialNumber', 'clientId', 'testMode'], secrets: ['clientSecret', 'subscriptionKey'] },
  woo: { type: 'shop', settings: ['url'], secrets: ['consumerKey', 'consumerSecret'] },
  entra: { type: 'directory', settings: ['tid'], secrets: [] },
  tcm: { type: 'tool', settings: ['url'], secrets: ['apiKey'] },
  snipeit: { type: 'tool', settings: ['url'], secrets: ['token'] },
} as const;
export type IntegrationKind = keyof typeof INTEGRATIONS;

/** unverified: saved, and nobody has seen it work. */
export const INTEGRATION_STATES = ['unverified', 'active', 'failing', 'disabled'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

export function isIntegrationKind(word: string): word is IntegrationKind {
  return Object.hasOwn(INTEGRATIONS, word);
}
