import { describe, expect, it } from 'vitest';
import { budgetFault, firstLoad, gzipSize, type Manifest, namedByPage, routeFaults } from './budgets.ts';
import { deadTexts, keysOf, lateTexts } from './catalogue.ts';
import { barrelFaults, environmentFaults, historyFaults, nameFaults, testFaults } from './habits.ts';
import { importCycles, importFaults, importsOf, moduleCycles, reachableFrom } from './imports.ts';
import { lockFaults, versionFaults, wordFaults } from './words.ts';

// Each check is shown a planted fault and must find it, and a good neighbour and must let it pass.
const file = (path: string, text: string) => ({ path, text });
const allowed = (path: string, name: string) => importFaults([file(path, `import { a } from '${name}';`)]).length === 0;

describe('imports', () => {
  it('finds every way to import', () => {
    expect(
      importsOf(`import a from 'one';\nimport 'two';\nexport * from "three";\nimport type {\n  B,\n} from 'four';
        const c = await import('five'); // import x from 'not-this'\n/* import y from 'nor-this' */ require('six');
export { d } from './seven.ts';`),
    ).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'five', 'six', './seven.ts']));
    expect(importsOf(`// import x from 'not-this'\n/* import y from 'nor-this' */`)).toEqual([]);
  });

  it.each([
    ['domain/access.ts', 'zod'],
    ['domain/access.ts', 'node:crypto'],
    ['domain/access.ts', '@hatchway/contract/route.ts'],
    ['contract/route.ts', 'fastify'],
    ['contract/route.ts', '@hatchway/server/app.ts'],
    ['server/app.ts', '@hatchway/sandbox/inbox/inbox.ts'],
    ['server/app.ts', '@hatchway/dev/start.ts'],
    ['server/app.ts', '../domain/terms.ts'],
    ['server/app.ts', './config'],
    ['portal/features/lockers/wall.tsx', '@hatchway/server/db/schema.ts'],
    ['portal/ui/button.tsx', '../features/lockers/queries.ts'],
    ['portal/features/lockers/queries.ts', '../../routes/dash.tsx'],
    ['sandbox/cabinets/mount.ts', '@hatchway/domain/terms.ts'],
    ['e2e/delivery.spec.ts', '@hatchway/server/main.ts'],
    ['bench/run.ts', '@hatchway/server/db/database.ts'],
    ['server/modules/lockers/routes.ts', '../occupations/rows.ts'],
    ['server/db/database.ts', '../modules/lockers/queries.ts'],
    ['server/app.ts', '../../outside.ts'],
  ])('%s may not import %s', (path, name) => expect(allowed(path, name)).toBe(false));

  it.each([
    ['domain/access.ts', './terms.ts'],
    ['domain/access.test.ts', 'fast-check'],
    ['contract/lockers.ts', 'zod'],
    ['contract/lockers.ts', '@hatchway/domain/terms.ts'],
    ['server/app.ts', '@hatchway/contract/route.ts'],
    ['server/modules/lockers/routes.ts', '../occupations/commands.ts'],
    ['server/modules/lockers/routes.ts', './queries.ts'],
    ['portal/routes/dash.tsx', '../features/lockers/queries.ts'],
    ['dev/start.ts', '@hatchway/sandbox/cabinets/mount.ts'],
    ['e2e/delivery.spec.ts', '@playwright/test'],
  ])('%s may import %s', (path, name) => expect(allowed(path, name)).toBe(true));

  it('finds a circle and names its files', () => {
    const circle = [
      file('domain/a.ts', `import './b.ts';`),
      file('domain/b.ts', `export * from './c.ts';`),
      file('domain/c.ts', `import type { A } from './a.ts';`),
    ];
    expect(importCycles(circle)).toEqual(['domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts']);
    expect(importCycles(circle.slice(0, 2))).toEqual([]);
  });

  it('finds a circle of modules whose files make none, and names the imports that close it', () => {
    const circle = [
      file('server/modules/cabinets/commands.ts', `import { lockerById } from '../lockers/queries.ts';`),
      file('server/modules/lockers/queries.ts', `import { rows } from './rows.ts';`),
      file('server/modules/lockers/rows.ts', ''),
      file('server/modules/lockers/commands.ts', `import type { Site } from '../sites/queries.ts';`),
      file('server/modules/sites/queries.ts', ''),
      file('server/modules/sites/commands.ts', `import { pair } from '../cabinets/commands.ts';`),
    ];
    expect(importCycles(circle)).toEqual([]);
    expect(moduleCycles(circle)).toEqual([
      `cabinets → lockers → sites → cabinets
    server/modules/cabinets/commands.ts imports server/modules/lockers/queries.ts
    server/modules/lockers/commands.ts imports server/modules/sites/queries.ts
    server/modules/sites/commands.ts imports server/modules/cabinets/commands.ts`,
    ]);
    expect(moduleCycles(circle.slice(0, 5))).toEqual([]);
    const tested = file('server/modules/sites/sites.test.ts', `import { pair } from '../cabinets/commands.ts';`);
    expect(moduleCycles([...circle.slice(0, 5), tested])).toEqual([]);
  });
});

describe('what is loaded', () => {
  it('follows imports, dynamic ones too, and leaves types out', () => {
    const files = [
      file('dev/a.ts', `import type { T } from './types.ts';\nconst b = await import('@hatchway/server/b.ts');`),
      file('dev/types.ts', ''),
      file('server/b.ts', `import '@hatchway/sandbox/c.ts';`),
      file('sandbox/c.ts', ''),
    ];
    expect([...reachableFrom(files, ['dev/a.ts'])]).toEqual(['dev/a.ts', 'server/b.ts', 'sandbox/c.ts']);
  });
});

describe('habits', () => {
  it('knows who may read the environment', () => {
    const reads = (path: string, text = 'const port = process.env.PORT;') => environmentFaults([file(path, text)]).length === 1;
    expect(reads('server/app.ts')).toBe(true);
    expect(reads('server/app.ts', `const { env } = process;`)).toBe(true);
    expect(reads('e2e/harness.ts')).toBe(true);
    expect(reads('server/config.ts')).toBe(false);
    expect(reads('e2e/playwright.config.ts')).toBe(false);
    expect(reads('dev/boot.mjs')).toBe(false);
  });

  it('finds barrels', () => {
    expect(barrelFaults([file('domain/index.ts', `export const a = 1;\nexport { b } from './b.ts';`)])).toHaveLength(1);
    expect(barrelFaults([file('domain/all.ts', `// all\nexport * from './a.ts';\nexport { b } from './b.ts';\n`)])).toHaveLength(1);
    expect(barrelFaults([file('sandbox/pages/index.ts', `document.title = 'Sandbox';`)])).toEqual([]);
    expect(barrelFaults([file('domain/a.ts', `export { b } from './b.ts';\nexport const a = 1;\n`)])).toEqual([]);
  });

  it('finds names that are not kebab-case, routes aside', () =>
    expect(
      nameFaults([
        'server/DoorState.ts',
        'server/doorState.ts',
        'server/door-state.test.ts',
        'portal/routes/$id.tsx',
        'portal/vite.config.ts',
      ]),
    ).toHaveLength(2));

  it('finds tests that are off, wait or try again', () => {
    const bad = [
      `test.only('x', f)`,
      `it.skip('x', f)`,
      `describe.skipIf(a)('x', f)`,
      `it.runIf(a)('x', f)`,
      `await page.waitForTimeout(5)`,
      `test.describe.only('x', f)`,
    ];
    for (const text of bad) expect(testFaults([file('e2e/a.spec.ts', text)])).toHaveLength(1);
    expect(testFaults([file('e2e/a.spec.ts', `test('x', f)`)])).toEqual([]);
  });
  it('finds a second writer of the history', () => {
    for (const text of [`tx.insertInto('events').values(row)`, 'sql`insert into events (id) values (1)`'])
      expect(historyFaults([file('server/modules/a/commands.ts', text)])).toHaveLength(1);
    expect(
      historyFaults([file('server/events/record.ts', `tx.insertInto('events')`), file('server/a.ts', `selectFrom('events')`)]),
    ).toEqual([]);
  });
});

describe('words', () => {
  it('finds places of a machine, not those that every system has', () => {
    for (const text of ['see /home/kari/notes', `readFile('/Users/x/y')`, 'C:\\Users\\kari'])
      expect(wordFaults([file('a.md', text)])).toHaveLength(1);
    for (const text of ['/usr/bin/chromium', 'https://example.org/home/page', 'GET /v1/work/x', '/tmp/x', '/root/x'])
      expect(wordFaults([file('a.md', text)])).toEqual([]);
  });

  it('finds a host or a missing hash in the lock file', () => {
    const lock = (entry: object) => JSON.stringify({ packages: { 'node_modules/a': entry } });
    expect(lockFaults(lock({ version: '1.0.0', resolved: 'https://registry.example/a.tgz', integrity: 'sha512-x' }))).toHaveLength(1);
    expect(lockFaults(lock({ version: '1.0.0' }))).toHaveLength(1);
    expect(lockFaults(lock({ version: '1.0.0', integrity: 'sha512-x' }))).toEqual([]);
  });

  it('finds versions that are not exact', () => {
    expect(versionFaults('package.json', '{"dependencies":{"a":"^1.0.0","b":"1.0.0","c":"18.4.0-beta.17"}}')).toEqual([
      'package.json: a is "^1.0.0", not an exact version',
    ]);
  });
});

describe('budgets', () => {
  const manifest: Manifest = {
    'index.html': {
      file: 'assets/index.js',
      isEntry: true,
      imports: ['_react.js'],
      dynamicImports: ['routes/dash.tsx?tsr-split=component'],
      css: ['assets/index.css'],
    },
    '_react.js': { file: 'assets/react.js', css: ['assets/react.css'] },
    'routes/dash.tsx?tsr-split=component': {
      file: 'assets/dash.js',
      src: 'routes/dash.tsx?tsr-split=component',
      isDynamicEntry: true,
      imports: ['_react.js'],
    },
  };

  it('counts entry, static imports and styles, and leaves lazy screens out', () =>
    expect(firstLoad(manifest)).toEqual(['assets/index.js', 'assets/index.css', 'assets/react.js', 'assets/react.css']));

  it('counts what the page names itself', () =>
    expect(
      namedByPage('<script src="/portal/boot.js"></script><link rel="icon" href="/a.svg"><link rel="stylesheet" href="/b.css">'),
    ).toEqual(['/portal/boot.js', '/b.css']));

  it('fails above the budget and names the largest', () => {
    const sizes = new Map([
      ['a.js', 150_000],
      ['b.css', 70_001],
    ]);
    expect(budgetFault('portal', sizes, 220)).toMatch(/220\.0 kB gzip, 220 allowed; a\.js 150\.0/);
    expect(budgetFault('portal', new Map([['a.js', 220_000]]), 220)).toBeNull();
    expect(gzipSize(new TextEncoder().encode('a'.repeat(10_000)))).toBeLessThan(100);
  });

  it('wants a chunk for each screen, outside the first load', () => {
    expect(routeFaults(manifest, ['routes/dash.tsx'])).toEqual([]);
    expect(routeFaults(manifest, ['routes/history.tsx'])).toEqual(['routes/history.tsx has no chunk of its own']);
    const early = {
      ...manifest,
      'index.html': { ...manifest['index.html'], file: 'assets/index.js', isEntry: true, imports: ['routes/dash.tsx?tsr-split=component'] },
    };
    expect(routeFaults(early, ['routes/dash.tsx'])).toEqual(['routes/dash.tsx is part of the first load']);
    expect(() => firstLoad({})).toThrow(/no entry/);
  });
});

describe('texts of the portal', () => {
  const keys = keysOf({
    doors: { open: 'Open', count_one: '{{count}} door', count_other: '{{count}} doors', state: { free: 'Free', lost: 'Lost' } },
  });

  it('counts a text once, whatever its plurals', () =>
    expect(keys).toEqual(['doors.open', 'doors.count', 'doors.state.free', 'doors.state.lost']));

  it('finds one that nothing asks for, and knows a key that is put together', () => {
    expect(deadTexts(keys, [file('a.tsx', "t('doors.open'); t('doors.count', { count })")])).toEqual([
      'doors.state.free',
      'doors.state.lost',
    ]);
    expect(deadTexts(keys, [file('a.tsx', "t(`doors.state.${state}`); t('doors.opened')")])).toEqual(['doors.open', 'doors.count']);
  });

  it('finds a late word in whatever an early screen loads, at once or later', () => {
    const files = [
      file('portal/main.tsx', "const Later = lazy(() => import('./later.tsx')); t('frame.menu')"),
      file('portal/later.tsx', "t('doors.open')"),
      file('portal/doors.tsx', "t('doors.count')"),
    ];
    expect(lateTexts(files, ['portal/main.tsx'], new Set(['doors']))).toEqual([
      'portal/later.tsx says doors.…, which comes after the first load',
    ]);
  });
});
