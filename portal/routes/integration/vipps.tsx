import { createFileRoute } from '@tanstack/react-router';
import { Administration } from '../../features/admin/menu.tsx';
import { IntegrationScreen } from '../../features/integrations/integration-screen.tsx';
import { Vipps } from '../../features/integrations/vipps.tsx';

export const Route = createFileRoute('/integration/vipps')({
  component: () => (
    <Administration here="integrations">
      <IntegrationScreen kind="vipps">
        <Vipps />
      </IntegrationScreen>
    </Administration>
  ),
});
