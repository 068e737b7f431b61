import { createFileRoute } from '@tanstack/react-router';
import { LockControl } from '../../features/lockers/lock-control.tsx';
import { type LockSearch, parseLockSearch } from '../../features/lockers/search.ts';

export const Route = createFileRoute('/services/lock-control')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as LockSearch,
  component: () => <LockControl search={parseLockSearch(Route.useSearch())} />,
});
