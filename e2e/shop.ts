import type { Page } from '@playwright/test';
import { newKeys } from '@hatchway/dev/vipps.ts';
import type { OwnCompany } from './company.ts';
import { expect, type Fixtures } from './journey.ts';
import type { outsider } from './outside.ts';
import { pressUnlessGone } from './still.ts';

/** Connects the company to the sandbox's payment provider, under keys of its own. */
export const takesVipps = async (origin: string, { name, admin: { api } }: OwnCompany): Promise<void> => {
  const body = await newKeys(origin, name);
  const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body });
  await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
};

/** A company with a payment provider of its own, a shop that is open, and drill bits in it. */
export const openShop = async (origin: string, company: OwnCompany, quantity = 2) => {
  const { api } = company.admin;
  const name = `shop-${company.id.slice(0, 8)}`;
  await takesVipps(origin, company);
  await api('PUT /storefront', { body: { name, open: true } });
  const cabinet = await company.cabinet({ doors: 1 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('The cabinet has no door.');
  const price = { amount: 8_900, currency: 'NOK' };
  const { id } = await api('POST /occupations', { body: { type: 'sale', lockerId: lot.id, assetText: 'Drill bit', quantity, price } });
  await api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: id } });
  // What the record says lies there does lie there: its sensor would tell.
  for (const act of [{ do: 'put', what: 'Drill bits' }, { do: 'close' }]) await cabinet.virtual.act({ ...act, door: lot.compartment });
  await api('PUT /occupations', { body: { id, action: 'fill' } }).catch(() => undefined);
  await api('PUT /occupations', { body: { id, action: 'publish' } });
  return { name, cabinet, lot, id };
};

/** At the provider: a phone is led there, or goes by its link where the address came late; a screen has the link beside the square code. */
export const providerFor =
  (page: Page, buyer: Pick<Awaited<ReturnType<typeof outsider>>, 'hands'>, say: Fixtures['say']) =>
  async (act: 'approve' | 'refuse' | 'expire') => {
    const there = page.getByRole('link', { name: say('pickup.pay.here'), exact: true });
    const goOn = page.getByRole('link', { name: say('pickup.pay.goOn'), exact: true });
    const decide = page.getByRole('button', { name: say(`sandbox.vipps.${act}`), exact: true });
    await expect(there.or(goOn).or(decide).first()).toBeVisible({ timeout: 30_000 });
    if (await there.isVisible()) await buyer.hands.press(there);
    else
      await expect(decide)
        .toBeVisible({ timeout: 5_000 })
        .catch(() => pressUnlessGone(goOn));
    await buyer.hands.press(decide);
    await page.waitForURL((url) => !url.pathname.startsWith('/sandbox/'));
  };
