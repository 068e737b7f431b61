import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { AssetGroups } from '../../features/asset-groups/asset-groups.tsx';
import { type ListSearch, parseListSearch } from '../../ui/table/search.ts';

export const Route = createFileRoute('/iam/assetgroups')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as ListSearch,
  component: () => (
    <Administration here="/iam/assetgroups">
      <AssetGroups search={parseListSearch(Route.useSearch())} />
    </Administration>
  ),
});
