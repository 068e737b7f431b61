import type { CallInput } from '@hatchway/contract/client.ts';
import type { Locator, Page } from '@playwright/test';
import { messagesTo, type OwnCabinet, type OwnCompany } from './company.ts';
import { someNumber } from './counter.ts';
import { handsAt } from './steel.ts';
import { expect, type Fixtures } from './journey.ts';

type Lot = OwnCabinet['lockers'][number];
type Registration = Omit<NonNullable<CallInput<'POST /occupations'>['body']>, 'lockerId' | 'receiver'>;

/** What staff did before an outside person comes: registered, filled where it is to be fetched, and told them. Answers their link. */
export async function invited(
  origin: string,
  { admin }: OwnCompany,
  lot: Lot,
  body: Registration,
  { fill }: { fill: boolean },
): Promise<{ id: string; path: string }> {
  const tlf = someNumber();
  const { id } = await admin.api('POST /occupations', { body: { ...body, lockerId: lot.id, receiver: { name: 'Ola Nordmann', tlf } } });
  if (fill) await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
  await admin.api('PUT /occupations', { body: { id, action: 'send' } });
  const [message] = await messagesTo(origin, tlf);
  const link = message?.links.find((one) => one.includes('/p/'));
  if (!link) throw new Error(`No link came to ${tlf}.`);
  return { id, path: new URL(link).pathname };
}

/** Somebody outside with a phone in one hand and the other on the steel. */
export async function outsider({ page, handsOn }: Pick<Fixtures, 'handsOn'> & { page: Page }, path: string, cabinet: OwnCabinet) {
  const hands = handsOn(page);
  await page.goto(path);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  return {
    page,
    hands,
    button,
    press: (name: string) => hands.press(button(name)),
    /** Says so, or finds that it counts as said: some seconds after the door closed there is nothing left to press. */
    saysUnless: (name: string, already: Locator) => Promise.any([hands.press(button(name)), expect(already).toBeVisible()]),
    heading: (name: string): Locator => page.getByRole('heading', { level: 1, name }),
    steel: (lot: Lot) => handsAt(new URL(page.url()).origin, cabinet, lot),
  };
}
