import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOOR_ICONS_FILE, doorIcons } from './door-icons.ts';

it('keeps the face that the list of icons makes: npm run door-icons writes it', async () =>
  expect(readFileSync(DOOR_ICONS_FILE).equals(await doorIcons())).toBe(true));
