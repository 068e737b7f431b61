import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { signedIn } from '@hatchway/dev/person.ts';
import type { Where } from '@hatchway/dev/where.ts';
import { makeCompany, type OwnCompany } from './company.ts';
import { runningFile } from './process.ts';
import { say as speak, type Language, type Word } from './words.ts';

/** How a journey is walked: set by the project, so that one journey is written once. */
export type Ways = {
  hands: 'mouse' | 'keyboard' | 'touch';
  language: Language;
  /** In a window that has loaded nothing yet. */
  isNew: boolean;
};

export type Hands = {
  /** Presses what a person would press: a click, a tap, or Tab until it has the focus and then Enter. */
  press: (what: Locator) => Promise<void>;
  /** Writes into a field, as fingers do, in place of what stands there. */
  write: (field: Locator, text: string) => Promise<void>;
};

type Click = { detail: number; target: { outerHTML: string; closest: (selector: string) => unknown } };
type KeyPress = { target: { outerHTML: string }; preventDefault: () => void; stopImmediatePropagation: () => void };

/** What a hand sees of a control as it reaches for it. */
type Sight = {
  isVisible: boolean;
  isEnabled: boolean;
  /** It asks to be held down, not pressed. */
  isHeld: boolean;
  /** It is ticked with Space; Enter sends a form. */
  isTicked: boolean;
  /** The key that leads to it from where the focus is, and how often; never where it has the focus. */
  key: string;
  times: number;
};

/**
 * One look for all of it, since each look has the browser find the control anew. Inside a composite (a wall, a menu, a tab list, a grid)
 * arrow keys walk and Tab leaves; on a wall they lead to where the door is seen.
 * @param mayGuess Tab may be pressed several times before the next look
 * @param arm once the control has the focus, the next key does nothing elsewhere; the page's `fellOn` then holds what it would have reached
 */
const see = (what: Locator, { mayGuess = false, arm = false } = {}): Promise<Sight> =>
  what.evaluate(
    (element, { guess, armed }) => {
      const page = element.ownerDocument;
      const { width, height } = element.getBoundingClientRect();
      const seen = {
        isVisible: width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }),
        isEnabled: !element.matches(':disabled') && !element.closest('[aria-disabled=true]'),
        isHeld: element.matches('[data-hold]'),
        isTicked: element.matches('input[type=checkbox],input[type=radio]'),
      };
      const step = (key: string, times = 1) => ({ ...seen, key, times });
      if (element.matches(':focus, :focus-within')) {
        const hand = globalThis as { fellOn?: string };
        hand.fellOn = '';
        if (armed)
          page.defaultView?.addEventListener(
            'keydown',
            (event: KeyPress) => {
              if (element.contains(event.target)) return;
              hand.fellOn = event.target.outerHTML.slice(0, 200);
              event.preventDefault();
              event.stopImmediatePropagation();
            },
            { capture: true, once: true },
          );
        return step('', 0);
      }
      const here = page.activeElement;
      const wall = element.closest('[role=group]:has([data-door])');
      if (wall && element.matches('[data-door]') && here?.matches('[data-door]') && wall.contains(here)) {
        const [from, to] = [here.getBoundingClientRect(), element.getBoundingClientRect()];
        if (to.left >= from.right) return step('ArrowRight');
        if (to.right <= from.left) return step('ArrowLeft');
        return step(to.top < from.top ? 'ArrowUp' : 'ArrowDown');
      }
      const composite = element.closest('[role=grid],[role=listbox],[role=menu],[role=tablist],[role=radiogroup],[data-arrows]');
      if (composite?.matches(':focus-within')) return step('ArrowDown');
      if (!guess) return step('Tab');
      // Guessed low, so that nobody has to be asked after each Tab; of radio buttons Tab stops at one.
      const within = element.closest('[role=dialog]') ?? page;
      const stops = [...within.querySelectorAll('a[href],button,input,select,textarea,summary,[tabindex]')].filter(
        (one) =>
          one.matches('[tabindex="0"],:not([tabindex],:disabled,[inert] *,[type=radio]:not(:checked))') &&
          one.checkVisibility({ visibilityProperty: true }),
      );
      const from = here === null ? -1 : stops.indexOf(here);
      const to = stops.findIndex((one) => element.contains(one));
      return step('Tab', from < 0 || to < 0 ? 1 : Math.max(1, (to > from ? to - from : stops.length - from + to) - 1));
    },
    { guess: mayGuess, armed: arm },
  );

/** As long as a hand waits for what it wants to press: a dialog that still waits for its answer keeps the focus. */
const PATIENCE = 30_000;

/**
 * Walks with Tab from where the focus is, all around the page if it must. A control that Tab never reaches fails the journey: so it should.
 * @param toPress waits until it is enabled, and arms it (see `see`)
 */
async function tabTo(page: Page, what: Locator, { toPress = false } = {}): Promise<Sight> {
  const until = Date.now() + PATIENCE;
  let isReady = false;
  for (let presses = 0; presses < 250 || Date.now() < until;) {
    // once: what was passed is come to step by step
    const sight = await see(what, { mayGuess: presses === 0, arm: toPress });
    if (!isReady && !(sight.isVisible && (sight.isEnabled || !toPress))) {
      await expect(what).toBeVisible();
      // as a click waits for it: a key on what is busy is lost
      if (toPress) await expect(what).toBeEnabled();
      isReady = true;
      continue;
    }
    isReady = true;
    if (sight.times === 0) return sight;
    for (let left = sight.times; left > 0; left--) await page.keyboard.press(sight.key);
    presses += sight.times;
  }
  throw new Error(`The keyboard never reaches ${String(what)}`);
}

/** Presses, or holds down, with the key that a person would take, where the focus is seen to be. */
async function keyOn(page: Page, what: Locator): Promise<void> {
  const until = Date.now() + PATIENCE;
  do {
    const { isHeld, isTicked } = await tabTo(page, what, { toPress: true });
    if (isHeld) return hold(page, what, 'keyboard');
    await page.keyboard.press(isTicked ? 'Space' : 'Enter');
    // a press that leads to another page takes its answer with it
    const elsewhere = (await page.evaluate('fellOn').catch(() => '')) as string;
    if (elsewhere === '') return;
    console.warn(`The focus left ${String(what)} for ${elsewhere}`);
  } while (Date.now() < until);
  throw new Error(`The focus does not stay on ${String(what)}`);
}

/** How long a browser under load may take to make a click of a tap. */
const CLICK = 2_000;
/** ms within which a second tap belongs to the first. */
const DOUBLE_TAP = 500;
let lastTap = { on: '', at: 0 };

/**
 * Taps, and sees to it that a click came of it, as no browser promises: fingers that felt nothing tap again. A click that fell on
 * something else has done what it did.
 */
export async function tapOn(what: Locator): Promise<void> {
  // A browser takes two taps on one spot for a double tap, and so does the product: one press. A person's second press comes later.
  if (lastTap.on === String(what)) await sleep(Math.max(0, lastTap.at + DOUBLE_TAP - Date.now()));
  for (let taps = 0; taps < 3; taps++) {
    const felt = await what.evaluateHandle((element) => {
      const answer = { on: '' };
      element.ownerDocument.defaultView?.addEventListener(
        'click',
        ({ target, detail }: Click) => {
          // the click of a key that was pressed just before is none of this finger's
          if (answer.on !== '' || detail === 0) return;
          if (element.contains(target)) answer.on = 'it';
          // beside what moved away at the last moment there is nothing that a finger does
          else if (target.closest('a,button,input,label,select,summary,textarea,[role=option],[role=menuitem]'))
            answer.on = target.outerHTML.slice(0, 200);
        },
        { capture: true },
      );
      return answer;
    });
    await what.tap();
    const until = Date.now() + CLICK;
    let on = '';
    // a tap that leads to another page takes its answer with it
    do on = await felt.evaluate((answer) => answer.on).catch(() => 'it');
    while (on === '' && Date.now() < until);
    if (on !== 'it') console.warn(`The tap on ${String(what)} ${on === '' ? 'made no click' : `fell on ${on}`}`);
    if (on === '') continue;
    lastTap = { on: String(what), at: Date.now() };
    return;
  }
  throw new Error(`No click comes of tapping ${String(what)}`);
}

/** Holds down what asks to be held until it asks no more; with the key, the mouse or the finger that the journey is walked with. */
async function hold(page: Page, what: Locator, way: Ways['hands']): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  const isHeard = () => expect(what.and(page.locator('[data-hold]'))).toHaveCount(0);
  if (way === 'keyboard') {
    await tabTo(page, what);
    await page.keyboard.down('Enter');
    await isHeard();
    return page.keyboard.up('Enter');
  }
  if (way === 'mouse') {
    await what.hover();
    await page.mouse.down();
    await isHeard();
    return page.mouse.up();
  }
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const finger = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await isHeard();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.detach();
}

function handsOf(page: Page, way: Ways['hands']): Hands {
  return {
    press: async (what) => {
      if (way === 'keyboard') return keyOn(page, what);
      if ((await see(what)).isHeld) return hold(page, what, way);
      return way === 'touch' ? tapOn(what) : what.click();
    },
    write: async (field, text) => {
      if (way !== 'keyboard') return field.fill(text);
      await tabTo(page, field);
      await page.keyboard.press('ControlOrMeta+a');
      if (text === '') return page.keyboard.press('Delete');
      const signs = Array.from(text);
      await page.keyboard.type(signs.slice(0, -1).join(''));
      // a hand is on its way to the next key by now; what follows at once is a scanner's
      return page.keyboard.type(signs.at(-1) ?? '', { delay: 60 });
    },
  };
}

/** The provider's own pages have a banner too. */
const profileOf = (page: Page, say: Fixtures['say']) => page.getByRole('banner').getByRole('button', { name: say('profileMenu') });

/** Of this run; `folder` is where it keeps its data. */
export type Running = { hatchway: Where & { folder: string }; kept: Kept };

/** A worker's last window: what it loaded stays in its cache, as it does with whoever comes back. */
type Kept = { key?: string; context?: BrowserContext };

/** As long as a browser may take for one step of tidying up. Now and then one never answers. */
const TIDY_UP = 30_000;
const inTime = async (step: string, done: Promise<unknown>): Promise<void> => {
  const isDone = await Promise.race([done.then(() => true), sleep(TIDY_UP, false, { ref: false })]);
  if (!isDone) throw new Error(`The browser did not ${step} within ${TIDY_UP / 1000} seconds.`);
};

/** As somebody new sits down at it: nobody is signed in, nothing is noted, no page of the product is open. */
async function clear(context: BrowserContext, origin: string): Promise<void> {
  const [first = await context.newPage(), ...others] = context.pages();
  for (const page of others) await inTime('close a page', page.close());
  await inTime('forget cookies and permissions', Promise.all([context.clearCookies(), context.clearPermissions()]));
  await inTime('let go of routes', context.unrouteAll({ behavior: 'ignoreErrors' }));
  await inTime('go online', context.setOffline(false));
  const storageTypes = 'cookies,local_storage,indexeddb,websql,service_workers,cache_storage';
  const forget = async () => (await context.newCDPSession(first)).send('Storage.clearDataForOrigin', { origin, storageTypes });
  await inTime('forget what was stored', forget());
  // it stays, and with it the process in which the next pages open
  const leave = () => first.goto(`${origin}/healthz`);
  // A page may go elsewhere by itself at that moment, and break this off.
  const left = leave().catch((error: unknown) => {
    if (!String(error).includes('ERR_ABORTED')) throw error;
    return leave();
  });
  await inTime('leave the last page', left);
}

/** Goes to an address of the portal that stands open, as a link in it leads there. */
export const follow = (page: Page, address: string): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    const router = globalThis.__TSR_ROUTER__;
    const off = router.subscribe('onRendered', () => {
      off();
      done();
    });
    router.history.push(${JSON.stringify(address)}, undefined, { ignoreBlocker: true });
  })`);

export type Fixtures = {
  /** A company of this test's own, with a paired virtual cabinet and people; nobody else's test can touch it. */
  company: OwnCompany;
  act: Hands;
  /** The same hands on another page: the receiver's phone beside the counter's screen. */
  handsOn: (page: Page) => Hands;
  /** The words of the screen in this project's language. */
  say: (word: Word, values?: Record<string, string>) => string;
  /** Signs in on the provider's pages, as they are drawn, and waits until the portal stands. */
  signIn: (email: string, path?: string) => Promise<void>;
  /** The same by the provider's pages without drawing them: a journey that is not about signing in. */
  enter: (email: string, path?: string) => Promise<void>;
  /** Goes to an address of the portal that is open already, as a link in it leads there: no file is loaded anew, and nothing is asked of what was typed. */
  go: (path: string) => Promise<void>;
  /** Goes to a place by the main navigation, which a small screen keeps behind its menu button. */
  visit: (place: string) => Promise<void>;
};

export const test = base.extend<Ways & Fixtures, Running>({
  hands: ['mouse', { option: true }],
  language: ['en', { option: true }],
  isNew: [false, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  hatchway: [async ({}, use) => use(JSON.parse(readFileSync(runningFile, 'utf8')) as Running['hatchway']), { scope: 'worker' }],
  baseURL: async ({ hatchway }, use) => use(hatchway.origin),
  kept: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => use({}),
    { scope: 'worker' },
  ],
  context: async ({ browser, viewport, locale, timezoneId, colorScheme, hasTouch, contextOptions, isNew, kept, hatchway }, use, test) => {
    const key = JSON.stringify([viewport, locale, timezoneId, colorScheme, hasTouch, contextOptions]);
    let { context } = kept;
    if (isNew || kept.key !== key || !context) {
      if (context) await inTime('close the window', context.close());
      // Playwright adds what the project and the file ask for
      context = await browser.newContext();
      Object.assign(kept, { key, context });
    }
    // The clock is the whole window's, and nothing gives it its own back.
    const { clock } = context;
    const install = clock.install.bind(clock);
    let hasOwnClock = true;
    clock.install = (options) => {
      hasOwnClock = false;
      return install(options);
    };
    await use(context);
    clock.install = install;
    if (!isNew && hasOwnClock && test.status === test.expectedStatus) return clear(context, hatchway.origin);
    delete kept.context;
    return inTime('close the window', context.close());
  },
  company: async ({ hatchway }, use) => {
    const company = await makeCompany(hatchway);
    await use(company);
    await company.remove();
  },
  // The company is made before the page and so goes after it: a page that is being closed must not load itself anew meanwhile.
  page: async ({ company: _before, page }, use) => use(page),
  act: async ({ page, hands }, use) => use(handsOf(page, hands)),
  handsOn: async ({ hands }, use) => use((page) => handsOf(page, hands)),
  say: async ({ language }, use) => use((word, values) => speak(language, word, values)),
  signIn: async ({ page, act, say, company }, use) =>
    use(async (email, path = '/portal/') => {
      await page.goto(path);
      await act.write(page.getByLabel(say('login')), email);
      await act.write(page.getByLabel(say('password'), { exact: true }), company.password);
      await act.press(page.getByRole('button', { name: say('signIn'), exact: true }));
      await expect(profileOf(page, say)).toBeVisible();
    }),
  enter: async ({ page, say, company, hatchway: { origin } }, use) =>
    use(async (email, path = '/portal/') => {
      const { cookies, address, kept } = await signedIn(origin, { email, password: company.password }, path);
      await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, domain: new URL(origin).hostname })));
      // What the portal would keep as it leaves for the provider, kept by a page of its origin. That it leaves is shown by signing in.
      await page.goto('/healthz');
      await page.evaluate(`localStorage.setItem(...${JSON.stringify(kept)})`);
      await page.goto(address);
      await expect(profileOf(page, say)).toBeVisible();
    }),
  go: async ({ page }, use) => use((path) => follow(page, `/portal${path}`)),
  visit: async ({ page, act, say }, use) =>
    use(async (place) => {
      const bar = page.getByRole('banner');
      const link = bar.getByRole('link', { name: place, exact: true });
      const menu = bar.getByRole('button', { name: say('menu'), exact: true });
      await expect(link.or(menu).filter({ visible: true }).first()).toBeVisible();
      if (await menu.isVisible()) await act.press(menu);
      await act.press(link.filter({ visible: true }));
    }),
});

export { expect } from '@playwright/test';
