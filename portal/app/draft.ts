import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { codeOf } from './problem.ts';

type RowQuery<Row> = { queryKey: readonly [noun: string, id: string]; queryFn: (context: { signal: AbortSignal }) => Promise<Row> };
/** A query of one row, for a form. */
export const rowQuery = <Row>(noun: string, id: string, queryFn: RowQuery<Row>['queryFn']): RowQuery<Row> => ({
  queryKey: [noun, id],
  queryFn,
});

/**
 * The row that a form is opened on, as it stands now: shown at once as the list had it, asked for behind it, and kept true by live events.
 * Null while one is made.
 */
export const useRow = <Row>(query: RowQuery<Row>, first: Row | null): { row: Row | null; newest: () => Promise<unknown> } => {
  const queryClient = useQueryClient();
  const { data } = useQuery<Row>({
    queryKey: query.queryKey,
    queryFn: ({ signal }) => query.queryFn({ signal }),
    enabled: first !== null,
    staleTime: 0,
  });
  return {
    row: first === null ? null : (data ?? first),
    newest: () =>
      queryClient.fetchQuery<Row>({ queryKey: query.queryKey, queryFn: ({ signal }) => query.queryFn({ signal }), staleTime: 0 }),
  };
};

type Options<Row, Draft, Answer> = {
  row: Row | null;
  /** Fetches the row anew, so that it comes back as `row`. */
  newest: () => Promise<unknown>;
  /** What stands in the form where nobody has typed. It must not change from one drawing to the next. */
  begun: (row: Row | null) => Draft;
  /** What would be saved, where that is less than the draft (rows of a list with keys of their own): decides whether anything was changed. */
  meant?: (draft: Draft) => unknown;
  save: (draft: Draft, version: number) => Promise<Answer>;
  onSaved: (answer: Answer) => void;
  gcTime?: number;
};

/** A row of a list whose noun has no call for one row. */
export const oneOf = <Row>(noun: string, id: string, list: (context: { signal: AbortSignal }) => Promise<readonly Row[]>): RowQuery<Row> =>
  rowQuery(noun, id, async (context) => {
    const [row] = await list(context);
    if (row === undefined) throw new Error('it is gone');
    return row;
  });

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * A form over a row that others may change meanwhile: one way for all of them. What is typed lies over the row field by field, so that
 * fields which nobody touched here show what others save, and typed ones stay. It is saved against the version that stood there when
 * typing began, as far as the form shows it. Where somebody was quicker (`stale`) nothing is saved and nothing is lost: the newer values are one press away, and what
 * was typed is one press back (ui/save-problem.tsx).
 */
export const useDraft = <Row extends { version: number }, Draft extends object, Answer>(options: Options<Row, Draft, Answer>) => {
  const { row, newest, begun, save, onSaved, gcTime } = options;
  const meant = options.meant ?? ((draft: Draft): unknown => draft);
  const stands = useMemo(() => begun(row), [row, begun]);
  const [typed, setTyped] = useState<{ over: Partial<Draft>; version: number; upon: Draft } | null>(null);
  /** What was typed, while the newer values are looked at. */
  const [aside, setAside] = useState<Partial<Draft> | null>(null);
  const value: Draft = { ...stands, ...typed?.over };
  const dirty = typed !== null && !same(meant(value), meant(stands));
  // A row that changed beside what this form shows (a message was sent, another section was saved) is no conflict of this form.
  const untouched = typed === null || !dirty || same(meant(typed.upon), meant(stands));
  const version = (untouched ? row?.version : typed.version) ?? 0;
  const mutation = useMutation({
    mutationFn: () => save(value, version),
    onSuccess: (answer) => {
      setTyped(null);
      setAside(null);
      onSaved(answer);
    },
    ...(gcTime === undefined ? {} : { gcTime }),
  });
  const fetching = useMutation({
    mutationFn: newest,
    onSuccess: () => {
      setAside(typed?.over ?? null);
      setTyped(null);
      mutation.reset();
    },
  });
  const reset = (): void => {
    setTyped(null);
    setAside(null);
    mutation.reset();
  };
  return {
    value,
    /** Something is typed, or was typed and is kept. */
    dirty: dirty || aside !== null,
    set: (change: Partial<Draft>): void => {
      setTyped((old) => ({
        over: { ...old?.over, ...change },
        ...(old && dirty ? { version: old.version, upon: old.upon } : { version: row?.version ?? 0, upon: stands }),
      }));
      // From here on it is the newer one that is changed.
      if (mutation.isError) mutation.reset();
    },
    reset,
    save: () => mutation.mutate(),
    saving: mutation.isPending,
    saved: mutation.isSuccess,
    answer: mutation.data,
    error: mutation.error,
    conflict: {
      error: mutation.error,
      stale: codeOf(mutation.error) === 'stale',
      kept: aside !== null,
      busy: fetching.isPending,
      failed: fetching.error,
      theirs: () => fetching.mutate(),
      mine: (): void => {
        setTyped({ over: aside ?? {}, version: row?.version ?? 0, upon: stands });
        setAside(null);
      },
    },
  };
};
export type Conflict = Pick<ReturnType<typeof useDraft>, 'conflict'>['conflict'];
