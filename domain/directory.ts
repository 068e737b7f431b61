/** Where people and groups are told of from. */
export const DIRECTORY_SOURCES = ['scim', 'entra'] as const;
export type DirectorySource = (typeof DIRECTORY_SOURCES)[number];

/**
 * Why something is not here as the directory says.
 * `account-elsewhere`: the address is an account's that does not belong to this company, whose person has to follow an invitation first.
 * `administrator`: the address is an administrator's, whom an address alone makes nobody of the directory.
 * `address-taken`: the address is a member's whom a directory knows as somebody else.
 * `last-admin`: nobody would be left who runs the company.
 * `removed-here`: an administrator removed them by hand.
 */
export const DIRECTORY_PROBLEMS = ['account-elsewhere', 'administrator', 'address-taken', 'last-admin', 'removed-here'] as const;
export type DirectoryProblem = (typeof DIRECTORY_PROBLEMS)[number];

/** Which roles a membership has once the directory gives these, and which of them are people's own gift too. */
export const rolesWith = (
  held: { readonly roles: readonly string[]; readonly directory: readonly string[]; readonly kept: readonly string[] },
  given: readonly string[],
): { roles: string[]; directory: string[]; kept: string[] } => {
  const byHand = rolesByHand(held);
  return {
    roles: [...new Set([...byHand, ...given])],
    directory: [...new Set(given)],
    kept: byHand.filter((role) => given.includes(role)),
  };
};

export const rolesByHand = (held: {
  readonly roles: readonly string[];
  readonly directory: readonly string[];
  readonly kept: readonly string[];
}): string[] => held.roles.filter((role) => !held.directory.includes(role) || held.kept.includes(role));
