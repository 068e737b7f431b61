import { createFileRoute } from '@tanstack/react-router';
import { NotOpen } from '../../features/pages/not-open.tsx';

export const Route = createFileRoute('/manage/payments')({ component: () => <NotOpen area="payments" /> });
