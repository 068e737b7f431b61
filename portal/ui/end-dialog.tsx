import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toast } from '../app/toasts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ProblemNote } from './problem-note.tsx';

type Props = {
  title: string;
  /** The word on its button. */
  action: string;
  act: () => Promise<unknown>;
  /** Said when it is done. */
  done: string;
  /** What follows then, where that is more than to close. */
  onDone?: () => unknown;
  onClose: () => void;
  /** It would be refused, as its text says. */
  blocked?: boolean;
  /** Why it is refused, where that is known better than by the usual sentence. */
  why?: (error: Error) => string | undefined;
  children: ReactNode;
};

/** Asks before something ends for good, ends it, and stays with the reason where that is refused. */
export const EndDialog = ({ title, action, act, done, onDone, onClose, blocked = false, why, children }: Props) => {
  const end = useMutation({
    mutationFn: act,
    onSuccess: () => {
      toast.ok(done);
      return (onDone ?? onClose)();
    },
  });
  const known = end.error ? why?.(end.error) : undefined;
  return (
    <ConfirmDialog
      opened
      destructive
      title={title}
      action={action}
      busy={end.isPending}
      blocked={blocked}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {children}
      {end.isError && <ProblemNote error={end.error} {...(known === undefined ? {} : { title: known })} />}
    </ConfirmDialog>
  );
};
