import { createFileRoute } from '@tanstack/react-router';
import { Overview } from '../../features/manage/overview.tsx';

export const Route = createFileRoute('/manage/')({ component: () => <Overview /> });
