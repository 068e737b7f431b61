import { createFileRoute } from '@tanstack/react-router';
import { Builder } from '../../features/builder/builder.tsx';
import { type BuilderSearch, parseBuilderSearch } from '../../features/builder/search.ts';

export const Route = createFileRoute('/manage/lockers')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as BuilderSearch,
  component: () => <Builder search={parseBuilderSearch(Route.useSearch())} />,
});
