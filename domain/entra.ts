/**
 * Why a directory was not connected, though its administrator was asked.
 * `expired`: the ten minutes are over, it was used, or somebody else began. `denied`: nobody consented. `not-admin`: who signed in does not
 * administer the directory. `other-directory`: they signed in to another one than was named. `taken`: another company has it.
 * `token-refused`: what came back is not the directory's word. `away`: it does not answer now.
 */
export const CONSENT_FAULTS = ['expired', 'denied', 'not-admin', 'other-directory', 'taken', 'token-refused', 'away'] as const;
export type ConsentFault = (typeof CONSENT_FAULTS)[number];

/** What is wrong with a connected directory, as its `lastError` says it; anything else there is its own words. */
export const DIRECTORY_FAULTS = ['application-refused', 'consent-missing', 'directory-unknown', 'throttled', 'not-understood'] as const;

/**
 * Whether somebody of a connected directory signs in there alone. A password that they had goes on counting for who administers the company,
 * as the way in on a day without the directory, and for who belongs to another company too, where this directory decides nothing.
 */
export const signsInAtDirectory = ({
  hasPassword,
  tenantId,
  companies,
}: {
  readonly hasPassword: boolean;
  readonly tenantId: string;
  readonly companies: readonly { readonly tenantId: string; readonly roles: readonly string[] }[];
}): boolean => !hasPassword || companies.every((company) => company.tenantId === tenantId && !company.roles.includes('admin'));
