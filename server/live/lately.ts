import type { LiveKind } from '@hatchway/contract/live.ts';

/** After one of these somebody may see other rows: of no kind is it known then since when their answer holds. */
export const FACTS_CHANGE: ReadonlySet<LiveKind> = new Set(['permissions', 'memberships']);
const AT_MOST = 2_000;

/**
 * When something of each kind last changed in a company, as far as this server heard: also before anybody of it listened. Beyond so many
 * companies it begins anew, knowing nothing of before.
 */
export const changedLately = () => {
  let from = performance.now();
  const companies = new Map<string, Map<LiveKind, number>>();
  const forget = (): void => {
    companies.clear();
    from = performance.now();
  };
  return {
    forget,
    hear: (tenantId: string, kinds: Iterable<LiveKind>): void => {
      if (!companies.has(tenantId) && companies.size >= AT_MOST) forget();
      const known = companies.get(tenantId) ?? new Map<LiveKind, number>();
      for (const kind of kinds) known.set(kind, performance.now());
      companies.set(tenantId, known);
    },
    /** For how long (ms) nothing of a kind has changed there. */
    quiet: (tenantId: string, kind: LiveKind): number => {
      const known = companies.get(tenantId);
      const heard = [kind, ...FACTS_CHANGE].map((one) => known?.get(one) ?? 0);
      return Math.floor(performance.now() - Math.max(from, ...heard));
    },
  };
};
