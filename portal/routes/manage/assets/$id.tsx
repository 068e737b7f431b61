import { createFileRoute } from '@tanstack/react-router';
import { Asset } from '../../../features/assets/asset.tsx';

export const Route = createFileRoute('/manage/assets/$id')({ component: () => <Asset id={Route.useParams().id} /> });
