import { createFileRoute } from '@tanstack/react-router';
import { Settings } from '../features/account/settings.tsx';

export const Route = createFileRoute('/settings')({ component: () => <Settings /> });
