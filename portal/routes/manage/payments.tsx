import { createFileRoute } from '@tanstack/react-router';
import { Payments } from '../../features/payments/payments.tsx';
import { type PaymentsSearch, parsePaymentsSearch } from '../../features/payments/search.ts';

export const Route = createFileRoute('/manage/payments')({
  // Only the type here: the schema parses in the lazily loaded half, which keeps zod out of the first load.
  validateSearch: (raw) => raw as PaymentsSearch,
  component: () => <Payments search={parsePaymentsSearch(Route.useSearch())} />,
});
