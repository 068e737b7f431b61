import { z } from 'zod/mini';
import { listSearch, oneOf, searchParser } from '../../ui/table/search.ts';

/** Who is looked for: whom the directory lets in and who is no member, members by it, or whom it does not let in. */
export const SHOWN = ['left', 'taken', 'inactive'] as const;

const schema = z.object({ ...listSearch, tab: oneOf(['groups']), show: oneOf(SHOWN) });
export type DirectorySearch = z.infer<typeof schema>;
export const parseDirectorySearch: (raw: Record<string, unknown>) => DirectorySearch = searchParser(schema);

type Source = 'scim' | 'entra';
export const peopleQuestion = (source: Source, { find, show }: DirectorySearch): Record<string, unknown> => ({
  source,
  ...(find ? { $text: find } : {}),
  ...(show === 'left' ? { active: true, taken: false } : {}),
  ...(show === 'taken' ? { taken: true } : {}),
  ...(show === 'inactive' ? { active: false } : {}),
});
export const groupsQuestion = (source: Source, { find }: DirectorySearch): Record<string, unknown> => ({
  source,
  ...(find ? { $text: find } : {}),
});
