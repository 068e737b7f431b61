import { createFileRoute } from '@tanstack/react-router';
import { NotOpen } from '../../features/pages/not-open.tsx';

export const Route = createFileRoute('/iam/groups')({ component: () => <NotOpen area="groups" /> });
