/** What a wall needs to know to be drawn. It fetches nothing and decides nothing: whoever shows it does both. */

export const DOOR_LOOKS = [
  'free',
  'failing',
  'reserved',
  'filled',
  'ready',
  'claiming',
  'vacant',
  'overdue',
  'open',
  'not-locked',
  'unknown',
  'inDoubt',
  'offline',
  'unpaired',
  'out-of-service',
] as const;
export type DoorLook = (typeof DOOR_LOOKS)[number];

/**
 * One door as drawn. Plain values only: live data is rebuilt on every change, and a door is drawn again where one of its fields differs.
 */
export type DoorView = {
  id: string;
  tag: string;
  size: string;
  /** null where there is none: of a door that is not made yet nothing is known. Its note stands in the state's place. */
  look: DoorLook | null;
  /** The controller sensed the door open: it is drawn swung, whatever it is used for. */
  ajar: boolean;
  /** The controller says that its lock did not catch: said beside whatever it looks like. */
  loose?: boolean;
  /** A command is under way and nobody knows yet how it ends. */
  busy?: boolean;
  /** Not what is looked for: drawn faint, still there. */
  faint?: boolean;
  /** A second line, such as for whom it is. */
  note?: string;
  /** Why this door cannot be picked now, in words; it stays reachable and says so. */
  blocked?: string;
};

export type LayoutDoor = { lockerId: string; height: number };
export type LayoutColumn = { width: number; doors: readonly LayoutDoor[] };
/** Widths and heights are in one unit, whatever it is: only their proportions are used. */
export type Layout = readonly LayoutColumn[];

export type Doors = Readonly<Record<string, DoorView>>;

/** A door that is drawn swung is counted as open, also where its fill says something graver. */
export function countLooks(doors: Iterable<DoorView>): Map<DoorLook, number> {
  const counts = new Map<DoorLook, number>();
  const count = (look: DoorLook) => counts.set(look, (counts.get(look) ?? 0) + 1);
  for (const { look, ajar } of doors) {
    if (look !== null) count(look);
    if (ajar && look !== 'open') count('open');
  }
  return counts;
}
