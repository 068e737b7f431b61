import { createFileRoute } from '@tanstack/react-router';
import { Administrator } from '../../features/admin/administrator.tsx';

export const Route = createFileRoute('/admin/')({ component: () => <Administrator /> });
