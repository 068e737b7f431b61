import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { historyQuery, type HistoryEvent, type Occupation } from '../../app/queries.ts';
import { isTaken, type Scene } from './running.ts';

type End = Pick<HistoryEvent, 'actor' | 'data'>;

/** Who or what says that it was taken, or of a storage that its locker is empty: a person, the sensor, or nobody. */
export const wordsOf = ({ actor, data }: End, tag: string, t: TFunction): string => {
  if (data['assumed'] === true) return t('occupations.told.assumed', { tag });
  if (actor.kind === 'system' || actor.kind === 'device') return t('occupations.told.sensor', { tag });
  if (data['saidEmpty'] === true)
    return actor.name === '' ? t('occupations.told.somebodyEmpty', { tag }) : t('occupations.told.saidEmpty', { name: actor.name, tag });
  return actor.name === '' ? t('occupations.told.somebody') : t('occupations.told.said', { name: actor.name });
};

/** Beside the words of a scene that something was taken out; null in any other, and where the history is not theirs to see. */
export const useWhoTold = (
  scene: Scene,
  { id, doorTag }: Pick<Occupation, 'id' | 'doorTag'>,
): { assumed: boolean; words: string } | null => {
  const { t } = useTranslation();
  const asked = { q: { occupationId: id, type: { $in: ['occupation_claimed', 'occupation_unstored'] } }, limit: 1 };
  const end = useQuery({ ...historyQuery(useApi(), asked), enabled: isTaken(scene), staleTime: 0 }).data?.[0];
  return !isTaken(scene) || end === undefined ? null : { assumed: end.data['assumed'] === true, words: wordsOf(end, doorTag, t) };
};
