import { createFileRoute } from '@tanstack/react-router';
import { NotFound } from '../features/pages/not-found.tsx';

export const Route = createFileRoute('/404')({ component: () => <NotFound /> });
