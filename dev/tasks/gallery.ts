import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { root } from '../command.ts';
import { demoCompany, demoPassword } from '../demo/people.ts';
import { demoRows } from '../demo/rows.ts';
import { buildFrontends } from '../frontends.ts';
import { galleryPage } from '../gallery-page.ts';
import { findChromium } from '../machine.ts';
import { handOn } from '../hand.ts';
import { fillIn, lookThrough, screens } from '../screens.ts';
import { startHatchway } from '../start.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;
const languages = { en: 'en-US', nb: 'nb-NO' } as const;

/** The README's pictures: name in docs/pictures → picture in the gallery. */
const shown: Record<string, string> = {
  'dashboard.png': 'desktop-light-en/dashboard.png',
  'delivery.png': 'desktop-light-en/delivery-locker.png',
  'wall-dark.png': 'desktop-dark-en/lock-control.png',
  'pickup-phone.png': 'phone-light-nb/pickup-link.png',
};

async function signIn(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/portal/`);
  await page.locator('input[type=password]').waitFor();
  await page.locator('input:not([type=hidden]):not([type=password]):not([type=checkbox])').first().fill(demoCompany.admin.email);
  await page.locator('input[type=password]').fill(demoPassword);
  await page.locator('form button[type=submit], form button:not([type])').first().click();
  await page.getByRole('banner').waitFor();
  await page.close();
}

async function photograph(
  browser: Browser,
  origin: string,
  rows: Record<string, string>,
  way: { size: keyof typeof sizes; theme: (typeof themes)[number]; language: keyof typeof languages },
  into: string,
  isWanted: (picture: string) => boolean,
): Promise<{ taken: number; failed: number }> {
  const options = {
    viewport: sizes[way.size],
    colorScheme: way.theme,
    locale: languages[way.language],
    timezoneId: 'Europe/Oslo',
    deviceScaleFactor: way.size === 'phone' ? 2 : 1,
  };
  const staff = await browser.newContext(options);
  await signIn(staff, origin);
  const anybody = await browser.newContext(options);
  const counted = { taken: 0, failed: 0 };
  for (const screen of screens) {
    if (![screen, ...(screen.looks ?? [])].some(({ name }) => isWanted(name))) continue;
    const page = await (screen.open ? anybody : staff).newPage();
    page.setDefaultTimeout(15_000);
    const hand = handOn(page, way.language);
    try {
      // live connections keep the network busy for ever, so wait for what a person waits for: content
      await page.goto(origin + fillIn(screen.path, rows), { waitUntil: 'load' });
      await page.locator('main, form, [role=main]').first().waitFor();
      await lookThrough(screen, hand, async (name) => {
        // what covers the screen is photographed as it stands there, and what the README shows; a screen to its end
        const file = path.join(into, `${name}.png`);
        const asItStands =
          Object.values(shown).includes(`${path.basename(into)}/${name}.png`) ||
          (await page.getByRole('dialog').filter({ visible: true }).count()) > 0;
        await page.screenshot({ path: file, animations: 'disabled', fullPage: !asItStands });
        counted.taken += 1;
      });
    } catch (error) {
      // the others are worth their pictures all the same
      counted.failed += 1;
      console.error(`${screen.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    await page.close();
  }
  await staff.close();
  await anybody.close();
  return counted;
}

/**
 * Photographs every screen of the demo at both sizes, in both themes and languages, into gallery/ with a page to leaf through
 * (gallery/index.html), and the README's pictures into docs/pictures/. Arguments choose some of them: `npm run gallery -- desktop-light-en phone-light-nb`,
 * or those of the README alone: `npm run gallery -- readme`.
 */
export async function run(wanted: string[]): Promise<number> {
  const sets = (['desktop', 'phone'] as const).flatMap((size) =>
    themes.flatMap((theme) => (['en', 'nb'] as const).map((language) => ({ size, theme, language, name: `${size}-${theme}-${language}` }))),
  );
  const known = ['readme', ...sets.map(({ name }) => name)];
  const unknown = wanted.find((one) => !known.includes(one));
  if (unknown !== undefined) {
    console.error(`There is no set ${unknown}. These there are: ${known.join(', ')}.`);
    return 1;
  }
  await buildFrontends();
  const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-gallery-'));
  const hatchway = await startHatchway({ port: 0, folder, demo: true });
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
  const gallery = path.join(root, 'gallery');
  const readme = wanted.includes('readme');
  let lacking = 0;
  try {
    const rows = await demoRows(hatchway.origin);
    if (wanted.length === 0) rmSync(gallery, { recursive: true, force: true });
    for (const { name, ...way } of sets) {
      const isWanted = (picture: string) => !readme || Object.values(shown).includes(`${name}/${picture}.png`);
      if (wanted.length > 0 && !wanted.includes(name) && !(readme && Object.values(shown).some((from) => from.startsWith(`${name}/`))))
        continue;
      const into = path.join(gallery, name);
      mkdirSync(into, { recursive: true });
      const { taken, failed } = await photograph(browser, hatchway.origin, rows, way, into, isWanted);
      lacking += failed;
      console.log(`${name}: ${taken} pictures${failed === 0 ? '' : `, ${failed} screens without`}`);
    }
    writeFileSync(path.join(gallery, 'index.html'), galleryPage(gallery));
    console.log(`Leaf through it: ${path.join(gallery, 'index.html')}`);
    mkdirSync(path.join(root, 'docs', 'pictures'), { recursive: true });
    for (const [name, from] of Object.entries(shown))
      if (existsSync(path.join(gallery, from))) cpSync(path.join(gallery, from), path.join(root, 'docs', 'pictures', name));
    return lacking === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await hatchway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
