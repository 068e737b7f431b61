import type { Page } from '@playwright/test';
import { createClient } from '@hatchway/contract/client.ts';
import { messagesTo, type OwnCabinet, type OwnCompany } from './company.ts';
import { openButton, type Lot } from './counter.ts';
import { expect, test as journey, type Fixtures } from './journey.ts';
import { handsAt } from './steel.ts';
import type { Word } from './words.ts';

type Say = Fixtures['say'];

/** The service counter in a person's hands: its fields, its buttons, and the door that it chose. */
export type Screen = {
  button: (name: string) => ReturnType<Page['getByRole']>;
  /** Plain, or with suggestions below it: one writes into both. */
  field: (name: string) => ReturnType<Page['getByRole']>;
  heading: (name: string) => ReturnType<Page['getByRole']>;
  next: () => Promise<void>;
  /** Its title, and "Step X of Y". */
  stands: (title: string, step: number, of: number) => Promise<void>;
  person: (name: string, tlf: string) => Promise<void>;
  /** Presses the button that opens the door; answers which one that is, and somebody who stands before it. */
  open: (cabinet: OwnCabinet) => Promise<Door>;
  /** Lets somebody in, or staff themselves: the dialog names the door, and opens it. */
  letIn: (word: Word, door: Lot) => Promise<void>;
  /** Goes to a page of the portal, which is open already. */
  go: Fixtures['go'];
  /** The page of an occupation, found by its door's tag. */
  manage: (doorTag: string) => Promise<void>;
};
export type Door = Lot & ReturnType<typeof handsAt>;

export const test = journey.extend<{ counter: Screen; atDoor: (cabinet: OwnCabinet, lot: Lot) => Promise<Door> }>({
  atDoor: async ({ hatchway, company }, use) =>
    use(async (cabinet, lot) => {
      const hands = handsAt(hatchway.origin, cabinet, lot);
      const heard = async () => (await company.admin.api('GET /lockers/{id}', { params: { id: lot.id } })).door;
      return {
        ...lot,
        ...hands,
        // hands are quicker than word of them: what is pressed next is pressed by somebody who has seen it
        close: async () => {
          await hands.close();
          await expect.poll(heard, { intervals: [50] }).toBe('closed');
        },
      };
    }),
  counter: async ({ page, act, say, go, atDoor }, use) => {
    const button: Screen['button'] = (name) => page.getByRole('button', { name, exact: true });
    const field: Screen['field'] = (name) =>
      page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
    await use({
      button,
      field,
      heading: (name) => page.getByRole('heading', { name }),
      next: () => act.press(button(say('next'))),
      stands: async (title, step, of) => {
        await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
        await expect(page.getByText(say('stepOf', { step: String(step), total: String(of) }))).toBeVisible();
      },
      person: async (name, tlf) => {
        // key by key they are written where that is what is shown
        await field(say('name')).fill(name);
        await field(say('tlf')).fill(tlf);
      },
      open: async (cabinet) => {
        const open = openButton(page, say);
        await expect(open).toBeVisible();
        const label = await open.innerText();
        const lot = cabinet.lockers.find((one) => label.includes(one.doorTag));
        if (!lot) throw new Error(`No locker of ours is on the button: ${label}`);
        await act.press(open);
        return atDoor(cabinet, lot);
      },
      letIn: async (word, { doorTag: tag }) => {
        await act.press(button(say(word)));
        const asked = page.getByRole('dialog');
        await expect(asked).toContainText(tag);
        await act.press(asked.getByRole('button', { name: say('openTag', { tag }), exact: true }));
      },
      go,
      manage: async (doorTag) => {
        await go('/services/manageoccupation');
        const field = page.getByLabel(say('codeOrTag'));
        await field.fill(doorTag);
        await field.press('Enter');
        await expect(page.getByText(say('timeline'), { exact: true })).toBeVisible();
      },
    });
  },
});

/** A stage on an occupation's page. */
export const showsStage = (page: Page, say: Say, word: Word) =>
  expect(page.getByRole('main').getByText(say(word), { exact: true }).first()).toBeVisible();

/** Whoever got the link: what their phone asks of the server when they press on its page. */
export async function phoneOf(origin: string, to: string) {
  const [message] = await messagesTo(origin, to);
  const link = message?.links[0] ?? '';
  const token = /\/p\/([^/?#]+)/.exec(link)?.[1];
  if (!token) throw new Error(`No link came to ${to}`);
  const api = createClient({ base: `${origin}/v1`, token: () => null });
  const key = { token };
  const look = () => api('POST /pickup/look', { body: { key } });
  return {
    link,
    open: (doorTag: string) => api('POST /pickup/open', { body: { key, doorTag } }),
    /** Something lies behind the open door already: the next one, where it goes on. */
    notEmpty: async () => (await api('POST /pickup/report', { body: { key, kind: 'not-empty' } }))?.door.doorTag,
    /** As its page does it: not before it has been told that the door is shut. After some seconds it counts as said. */
    done: async () => {
      await expect.poll(async () => look().then((seen) => seen?.ended != null || seen?.may.includes('done'))).toBe(true);
      await api('POST /pickup/done', { body: { key } });
    },
  };
}

/** The history of an occupation on a door, oldest first: what happened to it, doors aside. */
export const roadOf = async ({ admin }: OwnCompany, doorTag: string): Promise<string[]> =>
  (await admin.api('GET /history', { query: { q: { doorTag }, sort: 'at', limit: 200 } }))
    .map((event) => event.type)
    .filter((type) => type.startsWith('occupation_'));

export { expect } from './journey.ts';
export { someNumber } from './counter.ts';
