import type { Actor } from '@hatchway/domain/history.ts';

/** In whose name, in which company and at what time a command runs. Every command takes it after `tx`. */
export type Scope = { tenantId: string; actor: Actor; now: string };

/** The server itself, in a company. */
export const systemScope = (tenantId: string, now: string): Scope => ({
  tenantId,
  now,
  actor: { kind: 'system', id: null, name: 'Hatchway' },
});
