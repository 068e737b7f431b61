import { shallowEqual, useMediaQuery } from '@mantine/hooks';
import {
  memo,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Column } from './column.tsx';
import { legibleWidth, scaleOf, wallWidth, type WallMode } from './geometry.ts';
import type { Doors, Layout } from './model.ts';
import { Plate } from './plate.tsx';
import { useRoom } from './room.ts';
import styles from './wall.module.css';
import { walk, walkKey } from './walk.ts';

type WallProps = {
  /** Of the cabinet; spoken as the wall's name and written on its plate. */
  name: string;
  detail?: string;
  online: boolean;
  layout: Layout;
  doors: Doors;
  selected?: ReadonlySet<string>;
  suggested?: string;
  /**
   * Called for doors that are not blocked; `more` where a held key asks for one more, `mouse` where a mouse pressed, whose hand has
   * such a key beside it. Without it the wall is for looking.
   */
  onPick?: (lockerId: string, keys: { more: boolean; range: boolean }, mouse: boolean) => void;
  /** Stands over each column, such as what it is dragged by. Give it a stable identity. */
  head?: (column: number) => ReactNode;
  /** A blocked door was pressed: its reason, to be announced. */
  onBlocked?: (lockerId: string, reason: string) => void;
  /** Narrow screens get the phone's measures by themselves. */
  compact?: boolean;
  /** Pixels of the window's height that are not the wall's: with it, a wall is scaled down to be seen whole. */
  beside?: number;
  /** Pixels that its plate may take where the wall itself is narrower: there it reaches out over the frame instead of wrapping. */
  plate?: number;
  /** Build only what is near the screen: said by whoever shows many walls at once. */
  virtual?: boolean;
};

const NONE: ReadonlySet<string> = new Set();
/** Below this a wall is drawn whole: nothing to gain, and the browser's own search finds every door. */
const VIRTUAL_FROM = 240;

const doorOf = (event: { target: EventTarget }): string | undefined =>
  event.target instanceof Element ? (event.target.closest<HTMLElement>('[data-door]')?.dataset.door ?? undefined) : undefined;

const same = ({ doors, selected, ...rest }: WallProps, { doors: nextDoors, selected: nextSelected, ...nextRest }: WallProps): boolean =>
  shallowEqual(rest, nextRest) &&
  ((doors === nextDoors && selected === nextSelected) ||
    rest.layout.every((column) =>
      column.doors.every(
        ({ lockerId }) => shallowEqual(doors[lockerId], nextDoors[lockerId]) && selected?.has(lockerId) === nextSelected?.has(lockerId),
      ),
    ));

/** A press of Enter or Space has no clicks to count; where a browser does not say what pressed, it is taken for a mouse. */
const isMouse = (press: { detail: number; pointerType?: string }): boolean =>
  press.detail > 0 && (press.pointerType ?? 'mouse') === 'mouse';

/** One cabinet, drawn from its layout to scale. Tab enters it at one door, arrow keys walk it, Enter or Space picks. */
function WallOfDoors({
  name,
  detail,
  online,
  layout,
  doors,
  selected = NONE,
  suggested,
  onPick,
  onBlocked,
  head,
  compact = false,
  beside,
  plate = 0,
  virtual = false,
}: WallProps) {
  const { t } = useTranslation();
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const mode: WallMode = compact ? 'compact' : phone ? 'phone' : 'normal';
  const room = useRoom(mode === 'normal' ? beside : undefined);
  const scale = useMemo(() => scaleOf(layout, mode, room), [layout, mode, room]);
  const all = useMemo(() => layout.flatMap((column) => column.doors.map((door) => door.lockerId)), [layout]);
  const [walked, setWalked] = useState<string>();

  const known = (id: string | undefined) => id !== undefined && doors[id] !== undefined && all.includes(id);
  const pickedHere = all.find((id) => selected.has(id));
  const reachable = [walked, pickedHere, suggested].find(known) ?? all.find((id) => doors[id] !== undefined);
  const shown = pickedHere ?? suggested;

  // A wall wider than its frame says so: a phone shows no bar to drag.
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const look = () => setWide(box.scrollWidth > box.clientWidth + 1);
    const watch = new ResizeObserver(look);
    watch.observe(box);
    // Another column widens what is in the frame, and not the frame.
    const columns = new MutationObserver(look);
    columns.observe(box, { childList: true });
    return () => {
      watch.disconnect();
      columns.disconnect();
    };
  }, []);

  // A wall wider than its frame starts where the choice is, without moving the page.
  useEffect(() => {
    const element = shown === undefined ? null : frame.current?.querySelector<HTMLElement>(`[data-door="${CSS.escape(shown)}"]`);
    const box = frame.current;
    if (!element || !box || box.scrollWidth <= box.clientWidth) return;
    const offset = element.getBoundingClientRect().left - box.getBoundingClientRect().left;
    if (offset < 0 || offset + element.offsetWidth > box.clientWidth) {
      box.scrollLeft += offset - (box.clientWidth - element.offsetWidth) / 2;
    }
  }, [shown]);

  const press = (event: MouseEvent) => {
    const id = doorOf(event);
    const door = id === undefined ? undefined : doors[id];
    if (door === undefined || onPick === undefined) return;
    setWalked(door.id);
    if (door.blocked !== undefined) onBlocked?.(door.id, door.blocked);
    else onPick(door.id, { more: event.shiftKey || event.ctrlKey || event.metaKey, range: event.shiftKey }, isMouse(event.nativeEvent));
  };

  const step = (event: KeyboardEvent) => {
    const key = walkKey(event);
    const from = doorOf(event);
    if (key === undefined || from === undefined) return;
    event.preventDefault();
    let to = walk(layout, from, key);
    for (let before = from; doors[to] === undefined && to !== before;) {
      before = to;
      to = walk(layout, to, key === 'WallStart' ? 'ArrowDown' : key === 'WallEnd' ? 'ArrowUp' : key);
    }
    if (doors[to] === undefined) return;
    setWalked(to);
    // A door far away is built by the state change above, so it can be focused only after that.
    requestAnimationFrame(() => {
      const next = frame.current?.querySelector<HTMLElement>(`[data-door="${CSS.escape(to)}"]`);
      next?.focus();
      next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  };

  const follow = (event: FocusEvent) => {
    const id = doorOf(event);
    if (id !== undefined) setWalked(id);
  };

  const narrowest = Math.min(...layout.map((column) => column.width));
  const width = wallWidth(layout, scale);
  // As wide as the wall, which the plate then wraps to, unless it was given room of its own.
  const own = plate > width ? { maxWidth: width } : undefined;
  // For whoever sets several beside each other.
  const measures = { '--wall-width': `${width}px`, '--wall-legible': `${legibleWidth(layout, scale)}px` };
  return (
    <div
      className={styles.cabinet}
      data-mode={mode}
      data-plate={own ? 'wide' : undefined}
      style={{ width: Math.max(width, plate), ...measures }}
    >
      <Plate name={name} detail={detail} online={online} all={all} doors={doors} style={own && { minWidth: `min(${width}px, 100%)` }} />
      {wide && mode === 'phone' && <p className={styles.sideways}>{t('lockers.wall.sideways', { count: layout.length })}</p>}
      {/* Keys and presses are caught here for all doors at once; the doors themselves are buttons. */}
      {/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <div
        ref={frame}
        className={styles.frame}
        style={own}
        role="group"
        aria-label={name}
        aria-describedby={hint}
        onClick={press}
        onKeyDown={step}
        onFocus={follow}
      >
        {layout.map((column, index) => (
          <Column
            key={column.doors[0]?.lockerId ?? index}
            column={column}
            index={index}
            head={head}
            doors={doors}
            scale={scale}
            narrowest={narrowest}
            virtual={virtual || all.length > VIRTUAL_FROM}
            pickable={onPick !== undefined}
            reachable={column.doors.some((door) => door.lockerId === reachable) ? reachable : undefined}
            held={walked !== undefined && column.doors.some((door) => door.lockerId === walked)}
            suggested={suggested}
            selected={selected}
            t={t}
          />
        ))}
      </div>
      <span id={hint} className="hw-spoken">
        {t('lockers.wall.keys')}
      </span>
    </div>
  );
}

/** Many walls may stand on one screen: a change in one leaves the others alone. Give `onPick` a stable identity for that. */
export const Wall = memo(WallOfDoors, same);
