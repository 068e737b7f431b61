import { createFileRoute } from '@tanstack/react-router';
import { NotOpen } from '../../features/pages/not-open.tsx';

export const Route = createFileRoute('/admin/api')({ component: () => <NotOpen area="api" /> });
