import type { TFunction } from 'i18next';
import type { Locker, Occupation } from '../../app/queries.ts';

/** What the record says lies there; null where it says that nothing does. */
export const recordOf = (occupation: Occupation | undefined, locker: Pick<Locker, 'occupationId'>, t: TFunction): string | null => {
  if (locker.occupationId === null) return null;
  const thing = occupation?.assetName ?? occupation?.assetText ?? t('builder.check.unknownThing');
  const name = occupation?.receiver?.name;
  return name === undefined ? thing : t('builder.check.for', { what: thing, name });
};
