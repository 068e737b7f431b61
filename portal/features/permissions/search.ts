import { z } from 'zod/mini';
import { listSearch, oneOf, searchParser, text } from '../../ui/table/search.ts';

export const VIEWS = ['matrix', 'list', 'locker', 'person'] as const;

const schema = z.object({ ...listSearch, view: oneOf(VIEWS), locker: text, person: text });
export type PermissionsSearch = z.infer<typeof schema>;
export const parsePermissionsSearch: (raw: Record<string, unknown>) => PermissionsSearch = searchParser(schema);
