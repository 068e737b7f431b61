import { LINK_DAYS_MOST } from '@hatchway/domain/access-link.ts';
import type { TFunction } from 'i18next';
import type { Limits, Wrong } from './link-fields.tsx';

/** What cannot be saved, in words; before somebody has tried, an empty name is no mistake yet. */
export const wrongOf = (value: Limits, t: TFunction, tried: boolean, now: number = Date.now()): Wrong => {
  const wrong: Wrong = {};
  if (tried && value.name.trim() === '') wrong.name = t('links.nameNeeded');
  if (Date.parse(value.validTo) <= Date.parse(value.validFrom)) wrong.validTo = t('links.endBeforeStart');
  else if (Date.parse(value.validTo) <= now) wrong.validTo = t('links.endPassed');
  else if (Date.parse(value.validTo) - Date.parse(value.validFrom) > LINK_DAYS_MOST * 86_400_000) wrong.validTo = t('links.yearAtMost');
  return wrong;
};
