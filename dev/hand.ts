import type { Locator, Page } from '@playwright/test';
import { en } from '@hatchway/portal/i18n/en/catalogue.ts';
import { nb } from '@hatchway/portal/i18n/nb/catalogue.ts';

type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? Whole<K> : `${K}.${Leaves<T[K]>}` }[keyof T & string];
/** A text for one and one for many have one name. */
type Whole<K extends string> = K extends `${infer Name}_one` | `${infer Name}_other` ? Name : K;
/** A text of the portal, as its screens name it. */
export type Key = Leaves<typeof en>;
export type Language = 'en' | 'nb';

/** Presses what stands on a screen of the portal, in whichever language it speaks: for pictures and for axe, which prove no word. */
export type Hand = {
  page: Page;
  /** The first thing in sight that has this text, in the dialog that is open where one is. A variable that is not given is anything. */
  press: (key: Key, values?: Record<string, string | number>) => Promise<void>;
  find: (key: Key, values?: Record<string, string | number>) => Promise<Locator>;
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
const catalogues: Record<Language, unknown> = { en, nb };

function textOf(language: Language, key: Key): string {
  const found = (name: string) =>
    name.split('.').reduce<unknown>((at, part) => (at && typeof at === 'object' ? Reflect.get(at, part) : undefined), catalogues[language]);
  const text = found(key) ?? found(`${key}_one`);
  if (typeof text !== 'string') throw new Error(`The catalogue has no ${key}.`);
  return text;
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a text can look like: its variables filled in, or anything in their place; one or many. */
function patternOf(language: Language, key: Key, values: Record<string, string | number>): RegExp {
  const filled = (text: string) =>
    text
      .split(/(\{\{\w+\}\})/)
      .map((part) => {
        const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
        if (name === undefined) return literal(part);
        return values[name] === undefined ? '.+' : literal(String(values[name]));
      })
      .join('');
  const one = textOf(language, key);
  const many = Number(values['count'] ?? 1) === 1 ? one : textOf(language, `${key}_other` as Key);
  return new RegExp(`^${filled(many)}$`);
}

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
