import type { Pickup } from '@hatchway/contract/pickup.ts';
import { isPhone } from '../ui/is-phone.ts';
import { goTo } from './session.ts';

/** On to the page of what is being paid, which opens it then. A phone is led to its payer's app. */
export function goPay({ purchase, pickup }: { purchase: string; pickup: Pickup }): void {
  goTo({ page: 'pickup', key: { purchase } });
  const approveUrl = pickup.payment?.approveUrl ?? null;
  if (approveUrl !== null && isPhone()) location.assign(approveUrl);
}
