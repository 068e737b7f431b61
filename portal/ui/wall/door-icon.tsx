import { DOOR_ICONS } from './door-icons.ts';
import type { DoorLook } from './model.ts';
import styles from './door-icon.module.css';

/**
 * The icon of a look, `size` pixels square, in the colour of the text around it. A character and not a drawing: the browser composes
 * each drawing in a page by itself, and a wall of thousands dropped frames for nothing else.
 */
export function DoorIcon({ look, size = 14 }: { look: DoorLook; size?: number }) {
  return <span className={styles.icon} style={{ fontSize: size }} data-icon={DOOR_ICONS[look]} aria-hidden />;
}
