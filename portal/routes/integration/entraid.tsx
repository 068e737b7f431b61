import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { type DirectorySearch, parseDirectorySearch } from '../../features/directory/search.ts';
import { EntraPeople } from '../../features/integrations/entra-people.tsx';
import { type EntraSearch, parseEntraSearch } from '../../features/integrations/entra-search.ts';
import { Entra } from '../../features/integrations/entra.tsx';
import { IntegrationScreen } from '../../features/integrations/integration-screen.tsx';

export const Route = createFileRoute('/integration/entraid')({
  // Only the type here: the schemas parse in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as DirectorySearch & EntraSearch,
  component: () => {
    const raw = Route.useSearch();
    return (
      <Administration here="integrations">
        <IntegrationScreen kind="entra" below={<EntraPeople search={parseDirectorySearch(raw)} />}>
          <Entra back={parseEntraSearch(raw)} />
        </IntegrationScreen>
      </Administration>
    );
  },
});
