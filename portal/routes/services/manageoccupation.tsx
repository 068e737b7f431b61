import { createFileRoute } from '@tanstack/react-router';
import { ManageOccupation } from '../../features/occupations/manage-occupation.tsx';

/** `id` names the occupation. Whatever is no text is left out. */
export const Route = createFileRoute('/services/manageoccupation')({
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } => (typeof id === 'string' ? { id } : {}),
  component: ManageOccupation,
});
