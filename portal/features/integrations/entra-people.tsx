import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../../app/portal.ts';
import { compact } from '../../ui/table/search.ts';
import type { DirectorySearch } from '../directory/search.ts';
import { TakenOver } from '../directory/taken-over.tsx';
import { entraQuery } from './entra-api.ts';

/** Whom a connected directory told of; before one is, there is nobody to show. */
export const EntraPeople = ({ search }: { search: DirectorySearch }) => {
  const navigate = useNavigate();
  const state = useQuery(entraQuery(useApi())).data?.state;
  if (state !== 'active' && state !== 'failing') return null;
  return (
    <TakenOver
      source="entra"
      to="/integration/entraid"
      search={search}
      onSearch={(change) => void navigate({ to: '/integration/entraid', search: compact({ ...search, ...change }), replace: true })}
    />
  );
};
