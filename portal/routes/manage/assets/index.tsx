import { createFileRoute } from '@tanstack/react-router';
import { Assets } from '../../../features/assets/assets.tsx';
import { type AssetsSearch, parseAssetsSearch } from '../../../features/assets/search.ts';

export const Route = createFileRoute('/manage/assets/')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as AssetsSearch,
  component: () => <Assets search={parseAssetsSearch(Route.useSearch())} />,
});
