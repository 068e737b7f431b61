import type { Ended } from './options.ts';
import type { Verifier } from './verify.ts';

/** How far another provider has been told; the embedded one reads the database itself, and nothing waits. */
export type IdentityState = {
  provider: 'embedded' | 'keycloak';
  /** People of whom it is to be told something. */
  waiting: number;
  waitingSince: string | null;
  lastToldAt: string | null;
  /** Of those that wait, the newest: why it was not taken. */
  lastError: string | null;
};

/** What the server asks of whoever signs people in: of the embedded provider, or of Keycloak through its admin API. */
export type MountedIdentity = {
  issuer: string;
  /** Of access tokens, for the whole process: what is told to it is refused everywhere. */
  verifier: Verifier;
  /** The next token refresh is for that company. False when the person does not belong to it. Throws Problem `unavailable` where the provider cannot be told now. */
  chooseCompany(who: { accountId: string; sessionUid?: string }, tenantId: string): Promise<boolean>;
  /** Ends an account's sign-ins, or those for one company: after disabling, after a membership was withdrawn. */
  revoke(person: { accountId: string; tenantId?: string }): Promise<void>;
  /** What `onRevoked` told within the life of a token, also to nodes that were not there to hear it. */
  revokedLately(): Promise<Ended[]>;
  /** For seed and operator. A password that breaks the rules works in a sandbox only. */
  setPassword(accountId: string, password: string): Promise<void>;
  /** For somebody who lost phone and recovery codes, once whoever runs the service knows who they are. */
  removeSecondFactor(accountId: string): Promise<void>;
  /** A secret for an invitation of this company; the row keeps the hash. */
  newInvitationToken(tenantId: string): { token: string; hash: Buffer };
  inviteUrl(token: string): string;
  state(): Promise<IdentityState>;
};
