import type { Locator, Page } from '@playwright/test';
import { HOLE, textOf, type Key, type Language, type Values } from './texts.ts';

/** Presses what stands on a screen of the portal, in whichever language it speaks: for pictures and for axe, which prove no word. */
export type Hand = {
  page: Page;
  /** The first thing in sight that has this text, in the dialog that is open where one is. A variable that is not given is anything. */
  press: (key: Key, values?: Values) => Promise<void>;
  find: (key: Key, values?: Values) => Promise<Locator>;
  /** One of several that stand side by side. */
  choose: (key: Key) => Promise<void>;
  /** Closes the dialogs that are open. */
  close: () => Promise<void>;
};

/** What is looked at on an open screen: a step, a dialog, what is chosen. One look stands on the one before it. */
export type Look = {
  name: string;
  go: (hand: Hand) => Promise<void>;
  /** A dialog: it is closed again once it has been looked at. */
  over?: true;
};

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a text can look like: its variables filled in, or anything in their place. */
const patternOf = (language: Language, key: Key, values: Values) =>
  new RegExp(`^${literal(textOf(language, key, values)).replaceAll(HOLE, '.+')}$`);

export function handOn(page: Page, language: Language): Hand {
  const dialogs = page.locator('[role=dialog]').filter({ visible: true });
  const find: Hand['find'] = async (key, values = {}) => {
    const name = patternOf(language, key, values);
    const within = (await dialogs.count()) > 0 ? dialogs.last() : page.locator('body');
    const roles = (['button', 'link', 'menuitem'] as const).map((role) => within.getByRole(role, { name }));
    return roles
      .reduce((all, one) => all.or(one))
      .filter({ visible: true })
      .first();
  };
  return {
    page,
    find,
    press: async (key, values) => (await find(key, values)).click(),
    choose: (key) =>
      page
        .locator('label')
        .filter({ hasText: patternOf(language, key, {}), visible: true })
        .first()
        .click(),
    close: async () => {
      for (let open = await dialogs.count(); open > 0; open--) {
        await page.keyboard.press('Escape');
        await dialogs.nth(open - 1).waitFor({ state: 'hidden' });
      }
    },
  };
}
