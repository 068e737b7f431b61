import type { ComponentProps } from 'react';
import { Bones } from './panel.tsx';
import { ProblemNote } from './problem-note.tsx';

type Asked = { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown };

/** What stands where an answer will: grey bars until it is there, or why it did not come, with a way to ask again. */
export const Waiting = ({ of, ...bones }: { of: Asked } & ComponentProps<typeof Bones>) => {
  if (of.isError) return <ProblemNote error={of.error} onRetry={() => void of.refetch()} />;
  return of.isPending && <Bones {...bones} />;
};
