import {
  IconAlertTriangle,
  IconBarrierBlock,
  IconBookmark,
  IconClockExclamation,
  IconDoor,
  IconDoorOff,
  IconHandGrab,
  IconHelp,
  IconLockOpen,
  IconMailOpened,
  IconPackage,
  IconPackageOff,
  IconPlugConnectedX,
  IconSquare,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { DoorLook } from './model.ts';

const ICONS: Record<DoorLook, ComponentType<{ size?: number; stroke?: number }>> = {
  free: IconSquare,
  failing: IconDoorOff,
  reserved: IconBookmark,
  filled: IconPackage,
  ready: IconMailOpened,
  claiming: IconHandGrab,
  vacant: IconPackageOff,
  overdue: IconClockExclamation,
  open: IconDoor,
  'not-locked': IconLockOpen,
  unknown: IconHelp,
  inDoubt: IconAlertTriangle,
  offline: IconPlugConnectedX,
  unpaired: IconPlugConnectedX,
  'out-of-service': IconBarrierBlock,
};

export function DoorIcon({ look, size = 14 }: { look: DoorLook; size?: number }) {
  const Icon = ICONS[look];
  return <Icon size={size} stroke={2} aria-hidden />;
}
