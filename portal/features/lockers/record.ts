import { contentBy } from '@hatchway/domain/locker.ts';
import { isStage } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import type { Locker, Occupation } from '../../app/queries.ts';

/** Nobody uses it, or its use goes on with nothing inside: set aside, lent out, sold out. */
export const shouldBeEmpty = ({ occupation }: Pick<Locker, 'occupation'>): boolean =>
  occupation === null || (isStage(occupation.stage) && contentBy({ stage: occupation.stage, type: occupation.type }) === 'empty');

/** What its use is for; null where nobody uses it. */
export const recordOf = (occupation: Occupation | undefined, locker: Pick<Locker, 'occupationId'>, t: TFunction): string | null => {
  if (locker.occupationId === null) return null;
  const thing = occupation?.assetName ?? occupation?.assetText ?? t('builder.check.unknownThing');
  const name = occupation?.receiver?.name;
  return name === undefined ? thing : t('builder.check.for', { what: thing, name });
};

/** What the record says of its inside, in a sentence. */
export const recordSays = (
  occupation: Occupation | undefined,
  locker: Pick<Locker, 'occupationId' | 'occupation'>,
  t: TFunction,
): string => {
  const what = recordOf(occupation, locker, t);
  if (what === null) return t('builder.check.shouldEmpty');
  return t(shouldBeEmpty(locker) ? 'builder.check.shouldNow' : 'builder.check.should', { what });
};
