import { tabStorage } from './tab-storage.ts';

type Token = { sub?: string; tenant?: { tenant_id?: string; tenant_name?: string } };

/** The company that somebody works in on this tab, and where in the portal they were when they lost it to a choice in another tab. */
export type TabCompany = { sub: string; tenantId: string; name: string; at?: string };

const kept = tabStorage('company');
const placeNow = (): string => location.pathname + location.search;

/** From now on this tab is in the company of the token. */
export const stayIn = ({ sub = '', tenant }: Token): void => {
  const { tenant_id: tenantId, tenant_name: name = '' } = tenant ?? {};
  kept.write(tenantId === undefined ? null : { sub, tenantId, name });
};
/** Whatever company comes next was chosen on this tab. */
export const leaveCompany = (): void => kept.write(null);

/** The company that this tab was in, where the token is for another one since; null where it still is, or is somebody else's. */
export const companyLeft = (token: Token): Required<TabCompany> | null => {
  const before = kept.read() as TabCompany | null;
  if (before === null || before.sub !== token.sub || before.tenantId === token.tenant?.tenant_id) {
    stayIn(token);
    return null;
  }
  const left = { at: placeNow(), ...before };
  kept.write(left);
  return left;
};
