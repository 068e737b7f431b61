import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOOR_ICONS } from '@hatchway/portal/ui/wall/door-icons.ts';
import subsetFont from 'subset-font';
import { root } from './command.ts';

/** Where the portal takes its doors' icons from. */
export const DOOR_ICONS_FILE = path.join(root, 'portal/ui/wall/door-icons.woff2');

/** Tabler's face cut down to the icons that doors have: WOFF2, the same bytes each time. */
export const doorIcons = (): Promise<Buffer> =>
  subsetFont(
    readFileSync(fileURLToPath(import.meta.resolve('@tabler/icons-webfont/dist/fonts/tabler-icons.woff2'))),
    Object.values(DOOR_ICONS).join(''),
    { targetFormat: 'woff2' },
  );
