import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { refusedFields } from '../../app/problem.ts';
import { cabinetsQuery } from '../../app/queries.ts';
import { elsewhereQuery } from './api.ts';
import { type Preview, unknownIn } from './numbering.ts';
import type { Sketch } from './sketch.ts';

export const { compare } = new Intl.Collator('en', { numeric: true });

/** Tags in the order of their numbers, those of each cabinet together, with its name where that is known. */
export const tagWords = (tags: readonly string[], cabinetOf: (tag: string) => string | undefined): string => {
  const walls = new Map<string, string[]>();
  for (const tag of [...new Set(tags)].toSorted(compare)) {
    const name = cabinetOf(tag) ?? '';
    walls.set(name, [...(walls.get(name) ?? []), tag]);
  }
  return [...walls].map(([name, theirs]) => (name === '' ? theirs.join(', ') : `${theirs.join(', ')} (${name})`)).join('; ');
};

const POINTER = /^columns\.(\d+)\.doors\.(\d+)\./;
/** Of a drawing that was refused, the tags of the doors at which it was. */
export const refusedTags = (error: unknown, sketch: Sketch): string[] =>
  refusedFields(error).flatMap((field) => {
    const [, column, row] = POINTER.exec(field) ?? [];
    const door = sketch[Number(column)]?.doors[Number(row)];
    return door === undefined || door.hidden ? [] : door.doorTag;
  });

type Elsewhere = {
  /** Those of the tags that doors of other cabinets bear. */
  taken: readonly string[];
  words: (tags: readonly string[]) => string;
  /** Nothing is known of these tags yet. */
  asking: boolean;
};

/** Which of these tags doors of other cabinets bear (of all, where there is no cabinet yet), asked as one stops typing. */
export const useElsewhere = (cabinetId: string | null, tags: readonly string[]): Elsewhere => {
  const api = useApi();
  // Joined for the wait: a list is another one each time it is drawn.
  const now = tags.join(' ');
  const [wanted] = useDebouncedValue(now, 200);
  const found = useQuery({ ...elsewhereQuery(api, cabinetId, wanted.split(' ')), enabled: wanted !== '' });
  const cabinets = useQuery(cabinetsQuery(api));
  const at = new Map(found.data?.map((one) => [one.doorTag, one.cabinetId]));
  const nameOf = (tag: string) => cabinets.data?.find(({ id }) => id === at.get(tag))?.name;
  return {
    taken: tags.filter((tag) => at.has(tag)),
    words: (some) => tagWords(some, nameOf),
    asking: now !== wanted || found.isLoading,
  };
};

/** What is wrong with a pattern, in words. */
const patternWords = (t: TFunction, pattern: string, fault: Preview['fault']): string | undefined => {
  const unknown = unknownIn(pattern);
  if (unknown !== null) return t('builder.patternUnknown', { name: unknown });
  return fault === null ? undefined : t(fault === 'same' ? 'builder.patternSame' : 'builder.patternWrong');
};

/** What is wrong with a pattern by itself, else by what doors elsewhere bear already. `given`: tags that it gives to doors anew. */
export const usePatternFault = (
  cabinetId: string | null,
  { pattern, fault, given }: { pattern: string; fault: Preview['fault']; given: readonly string[] },
): { wrong: string | undefined; asking: boolean } => {
  const { t } = useTranslation();
  const own = patternWords(t, pattern, fault);
  const { taken, words, asking } = useElsewhere(cabinetId, own === undefined ? given : []);
  return { wrong: own ?? (taken.length > 0 ? t('builder.tagsElsewhere', { tags: words(taken) }) : undefined), asking };
};
