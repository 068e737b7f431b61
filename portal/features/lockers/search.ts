import { SIZES } from '@hatchway/domain/terms.ts';
import { z } from 'zod/mini';
import { listSearch, oneOf, searchParser, text } from '../../ui/table/search.ts';
import { SHOWS } from './showing.ts';

const { find, sort } = listSearch;
/**
 * Lock control's address: `tag` finds one door; `find`, `show` and `size` narrow, the last two to what the dashboard's figures count;
 * `cabinet` names a wall by its id; without `view` the walls are drawn.
 */
const schema = z.object({ view: oneOf(['list']), tag: text, cabinet: text, find, show: oneOf(SHOWS), size: oneOf(SIZES), sort });
export type LockSearch = z.infer<typeof schema>;
export const parseLockSearch: (raw: Record<string, unknown>) => LockSearch = searchParser(schema);
