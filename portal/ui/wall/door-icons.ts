import type { DoorLook } from './model.ts';

/** A look's icon as a character of the face in door-icons.woff2, numbered as Tabler numbers it. `npm run door-icons` makes the face of these. */
export const DOOR_ICONS: Readonly<Record<DoorLook, string>> = {
  free: '\uEB2C', // square
  failing: '\uF11B', // door-off
  reserved: '\uEA3A', // bookmark
  filled: '\uEAFF', // package
  ready: '\uEAE4', // mail-opened
  claiming: '\uF091', // hand-grab
  vacant: '\uF16C', // package-off
  overdue: '\uF847', // clock-exclamation
  open: '\uEF4E', // door
  'not-locked': '\uEAE1', // lock-open
  unknown: '\uEABF', // help
  inDoubt: '\uEA06', // alert-triangle
  offline: '\uF0A0', // plug-connected-x
  unpaired: '\uF0A0', // plug-connected-x
  'out-of-service': '\uF00E', // barrier-block
};
