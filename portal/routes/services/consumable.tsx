import { createFileRoute } from '@tanstack/react-router';
import { NotOpen } from '../../features/pages/not-open.tsx';

export const Route = createFileRoute('/services/consumable')({ component: () => <NotOpen area="consumable" /> });
