import type { Deps } from '../../deps.ts';

export const macOf = (deps: Deps, tenantId: string, messageId: string): Buffer => deps.seal.hash(`sms-report:${tenantId}:${messageId}`);

/** Where the fate of this one message is told. The address is the secret: gateways sign each in a way of their own, or not at all. */
export const reportUrlOf = (deps: Deps, tenantId: string, messageId: string): string =>
  `${deps.config.publicUrl}/hooks/sms/${tenantId}.${messageId}.${macOf(deps, tenantId, messageId).toString('base64url')}`;
