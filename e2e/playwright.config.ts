import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import type { Ways } from './journey.ts';

// The last list of features that are off is the only one that counts: Playwright's own comes first, then what a page without a head
// never shows. The address bar's two pages alone cost a process each for every window.
const off = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];
// Servers listen on the loopback only, and the browser talks to nobody else.
const flags = [
  `--disable-features=${off.join(',')}`,
  // two processes less for each browser, and what they would tell each other
  '--enable-features=NetworkServiceInProcess2',
  '--in-process-gpu',
  // a window's pages share one, which the window keeps between tests (journey.ts)
  '--process-per-site',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const report = process.env.HATCHWAY_REPORT;
/** The Keycloak that `npm run e2e -- keycloak` started, which knows at which port Hatchway will be. */
const { E2E_PORT: port = '0', KEYCLOAK_URL: url, KEYCLOAK_ADMIN: admin, KEYCLOAK_PASSWORD: password } = process.env;

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
/** As somebody has it whom movement makes ill: nothing slides or fades, and so nothing is waited for either. */
const still = { contextOptions: { reducedMotion: 'reduce' } } as const;
/** What a journey's hands, language or colours change nothing about is walked once: who may go where, and who may not. */
const once = /(\/(screens|frame|session|roles|demo|company|builder-drag)|\.attack)\.spec\.ts/;
/** What a key and a finger each reach, a mouse does: it walks what is walked once, and what it does in a way of its own. The screens are looked at beside it. */
const byMouse = new RegExp(`${once.source}|@mouse|@main|screens/.*\\.spec\\.ts`);
const way = (name: string, use: Partial<Ways> & NonNullable<PlaywrightTestConfig['use']>) => ({ name, testDir: 'journeys', use });

/** One journey, five ways; what looks at each screen by itself and what breaks things on purpose stand beside. */
export default defineConfig<Ways>({
  testDir: '.',
  outputDir: '../.tmp/e2e/results',
  globalSetup: './start.ts',
  metadata: { port, ...(url ? { keycloak: { url, admin, password } } : {}) },
  fullyParallel: true,
  // one waits for an answer while two are at work
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // for what hangs: a busy machine makes a journey slow, not wrong
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    browserName: 'chromium',
    actionTimeout: 30_000,
    viewport: desktop,
    locale: 'en-US',
    timezoneId: 'Europe/Oslo',
    colorScheme: 'light',
    // what it takes to keep each step's page is a sixth of the time: `--trace retain-on-failure` keeps them for who looks for a fault
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromium, args: flags },
  },
  projects: [
    // the screens under axe too: a project of their own would start workers and browsers of its own
    { name: 'plain', testMatch: /e2e\/(journeys|screens)\/.*\.spec\.ts/, grep: byMouse },
    { ...way('keyboard', { hands: 'keyboard', ...still }), testIgnore: once },
    // where Norwegian's longer words have the least room
    {
      ...way('phone', { viewport: phone, hasTouch: true, isMobile: true, hands: 'touch', locale: 'nb-NO', language: 'nb' }),
      testIgnore: once,
    },
    // every screen is looked at in both languages and themes (e2e/screens), and every journey speaks Norwegian on the phone: what a
    // language or a theme alone could break of a journey, the main ones show in the long run
    { ...way('nb', { locale: 'nb-NO', language: 'nb' }), grep: /@main/ },
    { ...way('dark', { colorScheme: 'dark' }), grep: /@main/ },
    // frames are counted on a machine that does nothing else: `npm run bench`
    { name: 'speed', testDir: 'speed', workers: 1, use: { screenshot: 'off' } },
    // only beside a real Keycloak, which `npm run e2e -- keycloak` starts
    ...(url ? [{ name: 'keycloak', testDir: 'keycloak', workers: 1, use: still }] : []),
    // faults kill and starve servers of their own: whatever runs beside them is another's
    { name: 'faults', testDir: 'faults', fullyParallel: false, testIgnore: '**/kill*.spec.ts' },
    // kills at moments drawn anew each time, which a busy machine moves: alone, in the long run
    { name: 'kill', testDir: 'faults', testMatch: '**/kill*.spec.ts', workers: 1 },
  ],
});
