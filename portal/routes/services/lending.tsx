import { createFileRoute } from '@tanstack/react-router';
import { ServiceScreen } from '../../features/occupations/service-screen.tsx';

export const Route = createFileRoute('/services/lending')({ component: () => <ServiceScreen service="lending" /> });
