import { ApiError } from '@hatchway/contract/client.ts';
import type { Hold } from '@hatchway/domain/layout.ts';
import type { TFunction } from 'i18next';
import type { Refusal } from './edit.ts';

/** Doors that keep a change from being made, as the server names them. */
type HeldDoor = { doorTag: string; hold: Hold };

const isHeld = (value: unknown): value is HeldDoor =>
  typeof value === 'object' && value !== null && 'doorTag' in value && typeof value.doorTag === 'string' && 'hold' in value;

export const heldBy = (error: unknown): HeldDoor[] => {
  const doors = error instanceof ApiError ? error.problem?.data?.['doors'] : undefined;
  return Array.isArray(doors) ? doors.filter(isHeld) : [];
};
export const policiesBy = (error: unknown): string[] => {
  const names = error instanceof ApiError ? error.problem?.data?.['policies'] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
};

export const holdWords = (t: TFunction, tag: string, hold: Hold): string =>
  t(hold === 'in-use' ? 'builder.held.in-use' : 'builder.held.in-doubt', { tag });

/** Why a stroke changed nothing, in words. */
export const refusalWords = (t: TFunction, refusal: Refusal): string =>
  refusal.code === 'held'
    ? t('builder.refused.held', { doors: refusal.tags.map(({ tag, hold }) => holdWords(t, tag, hold)).join(', ') })
    : t(`builder.refused.${refusal.code}`);
