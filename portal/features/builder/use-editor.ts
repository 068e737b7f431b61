import { layoutFaults, type Hold } from '@hatchway/domain/layout.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Locker } from '../../app/queries.ts';
import type { Cabinet } from './api.ts';
import { edit, editorOf, type Action, type Editor } from './edit.ts';
import { ownSaved, rebased } from './rebase.ts';
import { builtOf, drawingOf, sketchOf, type Sketch } from './sketch.ts';

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
  /** What was drawn here and is saved by now, though nobody answered so. */
  own: Sketch | undefined;
  /** Puts what is saved now under the strokes: shown instead of them (undo brings them back), or kept under them. */
  rebase: (how: 'theirs' | 'mine') => void;
  /** What was sent is saved, as this cabinet: strokes that came after it stay on it. */
  restart: (cabinet: Cabinet, sent: Sketch) => void;
};
export type Fault = ReturnType<typeof layoutFaults>[number]['code'];
type State = {
  editor: Editor;
  version: number;
  saved: Sketch;
  /** What was read of the doors before this was saved: until they are read anew, the saving itself says more. */
  behind: readonly Locker[] | null;
};

/** One wall while it is drawn, beside what the server says of it now. */
export function useEditor(cabinet: Cabinet, lockers: readonly Locker[], seesAll: boolean): Editing {
  const saved = useMemo(() => sketchOf(cabinet, lockers), [cabinet, lockers]);
  const [state, setState] = useState<State>(() => ({ editor: editorOf(saved), version: cabinet.version, saved, behind: null }));
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
  // The wall and its doors come one after the other: before both are here, nothing of what is saved can be shown.
  const whole = useMemo(() => {
    const ids = new Set(lockers.map((locker) => locker.id));
    return !seesAll || cabinet.columns.every(({ doors }) => doors.every(({ lockerId }) => ids.has(lockerId)));
  }, [cabinet, lockers, seesAll]);
  // Nothing is drawn: what is saved is shown as it comes.
  const told = whole && (lockers !== state.behind || cabinet.version > state.version);
  if (!dirty && state.saved !== saved && editor.past.length + editor.future.length === 0 && told)
    setState({ editor: editorOf(saved), version: cabinet.version, saved, behind: null });
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
  const faults = useMemo(() => {
    const found = new Map<string, Fault>();
    for (const { code, column, row } of layoutFaults(drawingOf(editor.now), drawingOf(editor.base))) {
      const key = editor.now[column]?.doors[row]?.key;
      if (key !== undefined) found.set(key, code);
    }
    return found;
  }, [editor.now, editor.base]);
  const newer = cabinet.version > state.version && whole && (dirty || editor.past.length + editor.future.length > 0);
  const own = useMemo(() => (newer ? ownSaved(editor, saved) : undefined), [newer, editor, saved]);
  const rebase = (how: 'theirs' | 'mine') =>
    setState({ editor: rebased(editor, saved, how), version: cabinet.version, saved, behind: null });
  return {
    editor,
    version: state.version,
    dirty,
    act,
    holdOf,
    faults,
    overtaken: newer && own === undefined,
    own,
    rebase,
    restart: (one, sent) => {
      const built = builtOf(sent, one);
      const drawn = latest.current.editor;
      const next = drawn.now === sent ? editorOf(built) : rebased(drawn, built, 'mine');
      setState({ editor: next, version: one.version, saved: built, behind: lockers });
    },
  };
}
