import { writeFileSync } from 'node:fs';
import { DOOR_ICONS_FILE, doorIcons } from '../door-icons.ts';

/** Makes the face of the doors' icons anew, after one was added or another icon chosen. */
export async function run(): Promise<number> {
  writeFileSync(DOOR_ICONS_FILE, await doorIcons());
  return 0;
}
