import { TEMPLATE_CHANNELS, TEMPLATE_KINDS } from '@hatchway/domain/template.ts';
import { z } from 'zod/mini';
import { oneOf, searchParser } from '../../ui/table/search.ts';

const schema = z.object({ kind: oneOf(TEMPLATE_KINDS), channel: oneOf(TEMPLATE_CHANNELS), locale: oneOf(['en', 'nb']) });
export type TemplatesSearch = z.infer<typeof schema>;
export const parseTemplatesSearch: (raw: Record<string, unknown>) => TemplatesSearch = searchParser(schema);
