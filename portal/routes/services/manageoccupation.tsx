import { createFileRoute } from '@tanstack/react-router';
import { ManageOccupation } from '../../features/occupations/manage-occupation.tsx';

/** `id` names the occupation at once; `scan` is what was scanned or typed elsewhere. Whatever is no text is left out. */
export const Route = createFileRoute('/services/manageoccupation')({
  validateSearch: (raw): { id?: string; scan?: string } => ({ ...word(raw, 'id'), ...word(raw, 'scan') }),
  component: ManageOccupation,
});

const word = <K extends string>(raw: Record<string, unknown>, key: K): { [N in K]?: string } => {
  const value = raw[key];
  return typeof value === 'string' || typeof value === 'number' ? ({ [key]: String(value) } as { [N in K]?: string }) : {};
};
