import type { Page } from '@playwright/test';
import type { OwnCabinet, OwnCompany } from './company.ts';
import { expect, test as journey, type Fixtures } from './journey.ts';

export type Lot = OwnCabinet['lockers'][number];
/** Staff at the counter, with a parcel for somebody: signed in, all steps walked, the button that opens the door in front of them. */
type Stand = (cabinet: OwnCabinet, tlf?: string) => Promise<Lot>;

/** A number of nobody's, so that no test reads another one's messages. */
export const someNumber = (): string => `+479${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;

export const test = journey.extend<{ standAtDoor: Stand }>({
  standAtDoor: async ({ page, act, say, enter, company }, use) =>
    use(async (cabinet, tlf = someNumber()) => {
      await enter(company.admin.email, '/portal/services/delivery');
      const next = page.getByRole('button', { name: say('next'), exact: true });
      await field(page, say('asset')).fill('Parcel 77');
      await act.press(next);
      await field(page, say('name')).fill('Ingrid Solberg');
      await field(page, say('tlf')).fill(tlf);
      await act.press(next);
      await act.press(next);
      const open = openButton(page, say);
      await expect(open).toBeVisible();
      const label = await open.innerText();
      const lot = cabinet.lockers.find((one) => label.includes(one.doorTag));
      if (!lot) throw new Error(`No locker of ours is on the button: ${label}`);
      return lot;
    }),
});

/** Plain or with suggestions below it: one writes into both. */
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));

export const openButton = (page: Page, say: Fixtures['say']) =>
  page.getByRole('button', { name: new RegExp(`^${say('openTag', { tag: '' })}`) });

/** A hand at the steel that waits for the spring: the controller's word and the door's move come apart. */
export const once = (act: () => Promise<void>): Promise<void> =>
  expect
    .poll(() =>
      act().then(
        () => 'done',
        () => 'not yet',
      ),
    )
    .toBe('done');

/** What a scanner does: all keys at once, faster than they could be sent one by one. */
export const scan = (page: Page, text: string) =>
  page.evaluate(
    `for (const key of ${JSON.stringify([...text.split(''), 'Enter'])})
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));`,
  );

/** A delivery that waits for its receiver, made over the API. */
export async function waiting({ admin }: OwnCompany, lot: Lot, receiver: { name: string; tlf?: string; email?: string }) {
  const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, assetText: 'Parcel 77', receiver } });
  await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  return made;
}

/** Rows of the history on the screen that say this; the filter above them knows every word too. */
export const told = (page: Page, word: string) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByText(word, { exact: true }) });

/** What the history holds of a door, oldest first. */
export const storyOf = async ({ admin }: OwnCompany, doorTag: string): Promise<string[]> =>
  // What happened to its whole cabinet stands there too.
  (await admin.api('GET /history', { query: { q: { doorTag }, sort: 'at', limit: 200 } }))
    .filter(({ lockerId }) => lockerId !== null)
    .map((event) => event.type);

export { expect } from './journey.ts';
