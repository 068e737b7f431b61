import { useDroppable } from '@dnd-kit/core';
import { IconGripHorizontal } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Doors } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import styles from './builder.module.css';
import { dropColumn, dropPlace, markerAt, onEdge } from './drag.ts';
import type { Action, Editor } from './edit.ts';
import { doorAt, layoutOf, placeOf, type Place, type Sketch } from './sketch.ts';

type Props = {
  name: string;
  detail: string;
  online: boolean;
  sketch: Sketch;
  doors: Doors;
  chosen: ReadonlySet<string>;
  chosenColumn: string | null;
  onChoose: (keys: ReadonlySet<string>) => void;
  onChooseColumn: (key: string) => void;
  /** Does a stroke and says what came of it. */
  act: (action: Action) => Editor;
  say: (words: string) => void;
  /** Every press adds to what is chosen: for fingers, and for who holds no key. */
  several: boolean;
};

type Held =
  | { kind: 'door'; key: string; x: number; y: number; moving: boolean }
  | { kind: 'column'; key: string; x: number; y: number; moving: boolean }
  | { kind: 'border'; key: string; x: number; y: number; moving: boolean; unit: number };
/** Pixels that the plate of a narrow wall may take: as many as the words below the wall, as builder.module.css has them. */
const PLATE = 440;
/** Pixels that a press may wander before it is a drag. */
const SLACK = 6;

/** The wall in edit mode: what is dragged by mouse, finger or keys. The strokes themselves are the editor's. */
export const EditWall = ({
  name,
  detail,
  online,
  sketch,
  doors,
  chosen,
  chosenColumn,
  onChoose,
  onChooseColumn,
  act,
  say,
  several,
}: Props) => {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement | null>(null);
  const held = useRef<Held | null>(null);
  const dragged = useRef(false);
  const [line, setLine] = useState<ReturnType<typeof markerAt>>(null);
  const [moving, setMoving] = useState<string | null>(null);
  const [edge, setEdge] = useState(false);
  const { setNodeRef } = useDroppable({ id: 'wall' });
  const layout = useMemo(() => layoutOf(sketch), [sketch]);

  const where = (key: string, place: Place): void =>
    say(t('builder.said.moved', { tag: doorAt(sketch, key)?.doorTag ?? '', column: place.column + 1, row: place.row + 1 }));

  const take = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    dragged.current = false;
    const at = { x: event.clientX, y: event.clientY, moving: false };
    const handle = event.target.closest<HTMLElement>('[data-handle]');
    if (handle) {
      held.current = { kind: 'column', key: handle.dataset['handle'] ?? '', ...at };
      return;
    }
    const door = event.target.closest<HTMLElement>('[data-door]');
    const key = door?.dataset['door'];
    if (!door || key === undefined) return;
    const height = doorAt(sketch, key)?.height ?? 0;
    if (event.pointerType === 'mouse' && onEdge(door, event.clientY))
      held.current = { kind: 'border', key, unit: height > 0 ? door.getBoundingClientRect().height / height : 1, ...at };
    // A finger scrolls over doors, so only one that is chosen is dragged by it (its touch-action says so too).
    else if (event.pointerType === 'mouse' || chosen.has(key)) held.current = { kind: 'door', key, ...at };
  };

  const move = (event: PointerEvent): void => {
    const one = held.current;
    const box = frame.current;
    if (box === null) return;
    if (one === null) {
      const door =
        event.pointerType === 'mouse' && event.target instanceof Element ? event.target.closest<HTMLElement>('[data-door]') : null;
      setEdge(door !== null && onEdge(door, event.clientY));
      return;
    }
    if (!one.moving && Math.hypot(event.clientX - one.x, event.clientY - one.y) < SLACK) return;
    if (!one.moving) {
      one.moving = true;
      dragged.current = true;
      box.setPointerCapture(event.pointerId);
      setMoving(one.kind === 'border' ? null : one.key);
    }
    if (one.kind === 'border') return setLine({ left: 0, top: event.clientY - box.getBoundingClientRect().top, width: box.clientWidth });
    if (one.kind === 'column') return;
    const place = dropPlace(box, sketch, event.clientX, event.clientY, one.key);
    setLine(place === null ? null : markerAt(box, sketch, place, one.key));
  };

  const drop = (event: PointerEvent): void => {
    const one = held.current;
    const box = frame.current;
    held.current = null;
    setLine(null);
    setMoving(null);
    if (one === null || !one.moving || box === null) return;
    if (one.kind === 'border') {
      act({ kind: 'border', key: one.key, by: (event.clientY - one.y) / one.unit });
    } else if (one.kind === 'column') {
      const from = sketch.findIndex((column) => column.key === one.key);
      const to = dropColumn(box, event.clientX, from);
      act({ kind: 'move-column', key: one.key, to });
      say(t('builder.said.columnMoved', { from: from + 1, to: to + 1 }));
    } else {
      const place = dropPlace(box, sketch, event.clientX, event.clientY, one.key);
      if (place === null) return;
      if (act({ kind: 'move-door', key: one.key, to: place }).refused === null) where(one.key, place);
    }
  };
  const letGo = (): void => {
    held.current = null;
    setLine(null);
    setMoving(null);
  };

  /** Alt with an arrow moves what has the focus; with Shift too, the border below it. */
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && held.current !== null) return letGo();
    if (!(event.target instanceof HTMLElement)) return;
    const handle = event.target.closest<HTMLElement>('[data-handle]')?.dataset['handle'];
    const key = event.target.closest<HTMLElement>('[data-door]')?.dataset['door'];
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (handle !== undefined) {
      const from = sketch.findIndex((column) => column.key === handle);
      const to = from + (step?.[0] ?? 0);
      if (!event.altKey || step === undefined || step[0] === 0 || to < 0 || to >= sketch.length) return;
      event.preventDefault();
      act({ kind: 'move-column', key: handle, to });
      refocus(`[data-handle="${CSS.escape(handle)}"]`);
      return say(t('builder.said.columnMoved', { from: from + 1, to: to + 1 }));
    }
    if (key === undefined) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      const gone = chosen.has(key) ? [...chosen] : [key];
      const next = act({ kind: 'remove', keys: gone });
      if (next.refused === null) say(t('builder.said.removed', { count: gone.length }));
      return;
    }
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const place = placeOf(sketch, key);
    if (place === null) return;
    if (event.shiftKey) {
      if (step[1] === 0) return;
      const next = act({ kind: 'border', key, by: (step[1] ?? 0) * 10 });
      if (next.refused !== null) return;
      return say(t('builder.said.height', { tag: doorAt(next.now, key)?.doorTag ?? '', height: doorAt(next.now, key)?.height ?? 0 }));
    }
    const to = { column: place.column + (step[0] ?? 0), row: place.row + (step[1] ?? 0) };
    if (to.column < 0 || to.column >= sketch.length || to.row < 0) return;
    const next = act({ kind: 'move-door', key, to });
    if (next.refused === null) where(key, placeOf(next.now, key) ?? to);
    refocus(`[data-door="${CSS.escape(key)}"]`);
  };
  const refocus = (selector: string): void => {
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(selector)?.focus());
  };

  const choose = useRef(onChooseColumn);
  const pick = useRef<(key: string, more: boolean) => void>(() => undefined);
  const choosing = (key: string, more: boolean): void => {
    // The press that ended a drag chooses nothing.
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    if (!more && !several) return onChoose(chosen.size === 1 && chosen.has(key) ? new Set() : new Set([key]));
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  // The wall and its heads are handed functions that stay the same, so that a stroke draws again only what it changed.
  useEffect(() => {
    pick.current = choosing;
    choose.current = onChooseColumn;
  });
  const onPick = useCallback((key: string, { more }: { more: boolean }) => pick.current(key, more), []);
  const columns = useMemo(() => sketch.map(({ key, width }) => ({ key, width })), [sketch]);
  const head = useCallback(
    (index: number) => {
      const column = columns[index];
      return column === undefined ? null : (
        <button
          type="button"
          className={styles.handle}
          data-handle={column.key}
          aria-pressed={chosenColumn === column.key}
          onClick={() => choose.current(column.key)}
        >
          <IconGripHorizontal size={14} aria-hidden />
          <span className="hw-spoken">{t('builder.column', { number: index + 1 })}, </span>
          <span>{t('builder.mm', { value: column.width })}</span>
        </button>
      );
    },
    [columns, chosenColumn, t],
  );

  return (
    // Presses and keys are caught here for the whole wall; its doors and handles are buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={(element) => {
        frame.current = element;
        setNodeRef(element);
      }}
      className={styles.canvas}
      data-edge={edge || undefined}
      data-moving={moving === null ? undefined : true}
      onPointerDown={take}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={letGo}
      onKeyDownCapture={keys}
    >
      {sketch.length === 0 ? (
        <p className={styles.bare}>{t('builder.bare')}</p>
      ) : (
        <Wall
          name={name}
          detail={detail}
          online={online}
          layout={layout}
          doors={doors}
          selected={chosen}
          onPick={onPick}
          head={head}
          plate={PLATE}
        />
      )}
      {line !== null && <span className={styles.line} style={line} />}
    </div>
  );
};
