import { createFileRoute } from '@tanstack/react-router';
import { OccupationTimeline } from '../../features/history/occupation-timeline.tsx';

export const Route = createFileRoute('/history/occupation/$id')({ component: () => <OccupationTimeline id={Route.useParams().id} /> });
