import { describe, expect, it } from 'vitest';
import { LIGHT } from '@hatchway/portal/app/light.ts';
import { en } from '@hatchway/portal/i18n/en/catalogue.ts';
import { first } from '@hatchway/portal/i18n/en/first.ts';
import { isScript, listFiles, readFiles } from '../files.ts';
import { deadTexts, keysOf, lateTexts } from './catalogue.ts';
import { barrelFaults, environmentFaults, historyFaults, nameFaults, testFaults } from './habits.ts';
import { importCycles, importFaults, moduleCycles, reachableFrom } from './imports.ts';
import { requirementFaults } from './requirements.ts';
import { lockFaults, versionFaults, wordFaults } from './words.ts';

const workspaces = ['domain', 'contract', 'server', 'portal', 'pickup', 'sandbox', 'dev', 'e2e', 'bench'];
const everything = listFiles('');
const scripts = readFiles(everything.filter((file) => isScript(file) && workspaces.some((folder) => file.startsWith(`${folder}/`))));
const own = (file: string) => !file.startsWith('dev/checks/');
const texts = readFiles(
  everything.filter((file) => /\.(ts|tsx|mjs|js|json|md|css|html|sql|ya?ml|txt)$|(^|\/)(Dockerfile|run)$/.test(file) && own(file)),
);

describe('the repository', () => {
  it('imports along its map alone', () => expect(importFaults(scripts)).toEqual([]));
  it('has no circles of imports', () => expect(importCycles(scripts)).toEqual([]));
  it('has no circles between modules of the server', () => expect(moduleCycles(scripts)).toEqual([]));
  it('loads nothing of the sandbox and no demo people in production', () => {
    const loaded = [...reachableFrom(scripts, ['dev/tasks/serve.ts', 'server/production.ts'])];
    expect(loaded).toContain('server/main.ts');
    expect(loaded.filter((file) => file.startsWith('sandbox/') || file.startsWith('dev/demo/'))).toEqual([]);
  });
  it('reads the environment in one place', () => expect(environmentFaults(scripts.filter((file) => own(file.path)))).toEqual([]));
  it('writes its history in one place', () => expect(historyFaults(scripts)).toEqual([]));
  it('has no barrel files', () => expect(barrelFaults(scripts)).toEqual([]));
  const portal = scripts.filter(({ path }) => path.startsWith('portal/') && !path.startsWith('portal/i18n/'));
  it('asks for every text of the portal', () =>
    expect(
      deadTexts(
        keysOf(en),
        portal.filter(({ path }) => !path.includes('.test.')),
      ),
    ).toEqual([]));
  it('says on the light screens what came with the first load', () => {
    const screens = [...LIGHT].map((address) => `portal/routes/${address.slice(1) || 'index'}.tsx`);
    const late = new Set(Object.keys(en).filter((noun) => !(noun in first)));
    // these are fetched with all words
    const withAll = ['portal/frame/palette.tsx', 'portal/frame/elsewhere.tsx', 'portal/features/dashboard/walls.tsx'];
    const files = portal.filter(({ path }) => !withAll.includes(path));
    expect(lateTexts(files, ['portal/main.ts', 'portal/application.tsx', 'portal/routes/__root.tsx', ...screens], late)).toEqual([]);
  });
  it('names its files in kebab-case', () => expect(nameFaults(scripts.map((file) => file.path))).toEqual([]));
  it('has no tests that are switched off, wait by the clock or try again', () =>
    expect(testFaults(scripts.filter((file) => own(file.path)))).toEqual([]));
  const requirements = texts.find((file) => file.path === 'docs/requirements.md')?.text ?? '';
  const tagged = scripts.filter((file) => own(file.path));
  it('shows every requirement by a test, and tags tests with no other', () => expect(requirementFaults(requirements, tagged)).toEqual([]));
  it('holds nothing of anybody’s machine', () => expect(wordFaults(texts)).toEqual([]));
  it('locks versions and hashes without naming a host', () =>
    expect(lockFaults(texts.find((file) => file.path === 'package-lock.json')?.text ?? '{}')).toEqual([]));
  it('pins exact versions', () =>
    expect(texts.filter((file) => file.path.endsWith('package.json')).flatMap((file) => versionFaults(file.path, file.text))).toEqual([]));
});
