import { HISTORY_EVENTS, type HistoryEventType } from '@hatchway/domain/history.ts';
import {
  type Icon,
  IconAlertTriangle,
  IconArchive,
  IconArrowBackUp,
  IconBan,
  IconBell,
  IconBox,
  IconCash,
  IconCheck,
  IconCircleDashed,
  IconDoorEnter,
  IconDoorExit,
  IconDoorOff,
  IconFlag,
  IconHelpHexagon,
  IconLock,
  IconLockOpen,
  IconPackage,
  IconPackageExport,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRectangleVertical,
  IconSquareCheck,
  IconTool,
  IconUserCheck,
} from '@tabler/icons-react';
import type { Tone } from '../../ui/state-badge.tsx';

const KNOWN: ReadonlySet<string> = new Set(HISTORY_EVENTS);
export const isKnown = (type: string): type is HistoryEventType => KNOWN.has(type);
export const GROUPS = ['occupation', 'locker', 'payment'] as const;
export type Group = (typeof GROUPS)[number];
export const typesOf = (group: Group): HistoryEventType[] => HISTORY_EVENTS.filter((type) => type.startsWith(`${group}_`));

const LOOK: Partial<Record<HistoryEventType, readonly [Icon, Tone]>> = {
  occupation_created: [IconFlag, 'plain'],
  occupation_filled: [IconPackage, 'accent'],
  occupation_refilled: [IconPackage, 'accent'],
  occupation_published: [IconPackageExport, 'accent'],
  occupation_assigned: [IconUserCheck, 'accent'],
  occupation_claiming: [IconDoorExit, 'accent'],
  occupation_claimed: [IconPackageExport, 'ok'],
  occupation_extract: [IconBox, 'warn'],
  occupation_delivered: [IconCheck, 'ok'],
  occupation_returned: [IconArrowBackUp, 'plain'],
  occupation_terminated: [IconSquareCheck, 'plain'],
  occupation_archived: [IconArchive, 'plain'],
  occupation_amended: [IconPencil, 'plain'],
  locker_reserved: [IconLock, 'plain'],
  locker_opened: [IconDoorEnter, 'accent'],
  // No padlock: a door that was shut is not always locked.
  locker_closed: [IconRectangleVertical, 'plain'],
  locker_empty: [IconCircleDashed, 'plain'],
  locker_unknown: [IconHelpHexagon, 'unknown'],
  locker_occupied: [IconPackage, 'plain'],
  locker_reported: [IconAlertTriangle, 'warn'],
  locker_online: [IconPlugConnected, 'ok'],
  locker_offline: [IconPlugConnectedX, 'bad'],
  locker_alarm: [IconAlertTriangle, 'bad'],
  locker_keypad_shut: [IconAlertTriangle, 'warn'],
  locker_keypad_lifted: [IconLockOpen, 'ok'],
  locker_open_refused: [IconDoorOff, 'bad'],
  locker_no_answer: [IconAlertTriangle, 'bad'],
  locker_locked: [IconLock, 'plain'],
  locker_lock_refused: [IconLockOpen, 'bad'],
  locker_out_of_service: [IconTool, 'warn'],
  locker_back_in_service: [IconCheck, 'ok'],
  payment_cancelled: [IconBan, 'plain'],
};

export const lookOf = (type: string): readonly [Icon, Tone] => {
  const look = isKnown(type) ? LOOK[type] : undefined;
  return look ?? (type.startsWith('payment_') ? [IconCash, 'plain'] : [IconBell, 'plain']);
};
