import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { IntegrationScreen } from '../../features/integrations/integration-screen.tsx';

export const Route = createFileRoute('/integration/entraid')({
  component: () => (
    <Administration here="integrations">
      <IntegrationScreen kind="entra" />
    </Administration>
  ),
});
