import { createFileRoute } from '@tanstack/react-router';
import { ServiceScreen } from '../../features/occupations/service-screen.tsx';

export const Route = createFileRoute('/services/storage')({ component: () => <ServiceScreen service="storage" /> });
