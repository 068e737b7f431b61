import { createFileRoute } from '@tanstack/react-router';
import { IntegrationScreen } from '../../features/integrations/integration-screen.tsx';

export const Route = createFileRoute('/integration/entraid')({ component: () => <IntegrationScreen kind="entra" /> });
