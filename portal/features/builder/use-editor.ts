import { layoutFaults, type Hold } from '@hatchway/domain/layout.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Locker } from '../../app/queries.ts';
import type { Cabinet } from './api.ts';
import { edit, editorOf, type Action, type Editor } from './edit.ts';
import { drawingOf, sketchOf, type Sketch } from './sketch.ts';

type Editing = {
  editor: Editor;
  /** What the strokes are drawn on, for the server. */
  version: number;
  dirty: boolean;
  act: (action: Action) => Editor;
  holdOf: (lockerId: string) => Hold | null;
  /** Keys of doors that cannot be built as they are, with why. */
  faults: ReadonlyMap<string, Fault>;
  /** Somebody else saved another wall meanwhile. */
  overtaken: boolean;
  /** Puts what is saved now under the strokes: shown instead of them (undo brings them back), or kept under them. */
  rebase: (how: 'theirs' | 'mine') => void;
  restart: (cabinet: Cabinet, lockers: readonly Locker[]) => void;
};
export type Fault = ReturnType<typeof layoutFaults>[number]['code'];

/** One wall while it is drawn, beside what the server says of it now. */
export function useEditor(cabinet: Cabinet, lockers: readonly Locker[], seesAll: boolean): Editing {
  const saved = useMemo(() => sketchOf(cabinet, lockers), [cabinet, lockers]);
  const [state, setState] = useState(() => ({ editor: editorOf(saved), version: cabinet.version, saved }));
  const { editor } = state;
  const dirty = editor.now !== editor.base;
  const holds = useMemo(
    () =>
      new Map<string, Hold>(
        lockers.flatMap((locker): [string, Hold][] =>
          locker.occupationId !== null ? [[locker.id, 'in-use']] : locker.inDoubt ? [[locker.id, 'in-doubt']] : [],
        ),
      ),
    [lockers],
  );
  const holdOf = useCallback((id: string) => holds.get(id) ?? null, [holds]);
  // Nothing is drawn: what is saved is shown as it comes.
  if (!dirty && state.saved !== saved && editor.past.length + editor.future.length === 0)
    setState({ editor: editorOf(saved), version: cabinet.version, saved });
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  const act = useCallback(
    (action: Action): Editor => {
      const next = edit(latest.current.editor, action, holdOf);
      latest.current = { ...latest.current, editor: next };
      setState(latest.current);
      return next;
    },
    [holdOf],
  );
  const known = useMemo(() => {
    const ids = new Set(lockers.map((locker) => locker.id));
    return cabinet.columns.every(({ doors }) => doors.every(({ lockerId }) => ids.has(lockerId)));
  }, [cabinet, lockers]);
  const faults = useMemo(() => {
    const found = new Map<string, Fault>();
    for (const { code, column, row } of layoutFaults(drawingOf(editor.now), drawingOf(editor.base))) {
      const key = editor.now[column]?.doors[row]?.key;
      if (key !== undefined) found.set(key, code);
    }
    return found;
  }, [editor.now, editor.base]);
  const rebase = (how: 'theirs' | 'mine') => {
    const mine: Editor = editor;
    const now: Sketch = how === 'theirs' ? saved : mine.now;
    const past = how === 'theirs' ? [...mine.past, mine.now] : mine.past;
    setState({ editor: { ...mine, base: saved, now, past, future: [], refused: null }, version: cabinet.version, saved });
  };
  return {
    editor,
    version: state.version,
    dirty,
    act,
    holdOf,
    faults,
    // The wall and its doors come one after the other: before both are here, nothing of theirs can be shown.
    overtaken: cabinet.version > state.version && (!seesAll || known) && (dirty || editor.past.length + editor.future.length > 0),
    rebase,
    restart: (one, doors) => {
      const fresh = sketchOf(one, doors);
      setState({ editor: editorOf(fresh), version: one.version, saved: fresh });
    },
  };
}
