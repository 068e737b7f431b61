import { createFileRoute } from '@tanstack/react-router';
import { Forbidden } from '../features/pages/forbidden.tsx';

export const Route = createFileRoute('/forbidden')({ component: () => <Forbidden /> });
