import type { Size } from '@hatchway/domain/terms.ts';
import { reachAt } from '@hatchway/domain/layout.ts';
import { doorsOf, HEIGHT_OF, totalOf, type Sketch } from './sketch.ts';
import { tagsBy } from './numbering.ts';

type Plan = readonly { readonly width: number; readonly sizes: readonly Size[] }[];
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const MIXED: readonly Size[] = ['M', 'M', 'M', 'M', 'L', 'S'];
const SMALL: readonly Size[] = ['S', 'S', 'S', 'M', 'M', 'M', 'S', 'S', 'S'];

/** Walls as they are sold; every column of one is of the same height. */
const PLANS = {
  parcels: [
    { width: 450, sizes: SMALL },
    { width: 450, sizes: MIXED },
    { width: 600, sizes: ['L', 'XL', 'L'] },
    { width: 450, sizes: MIXED },
  ],
  small: [{ width: 450, sizes: times(6, 'M') }],
  even: times(3, { width: 400, sizes: times(6, 'M') }),
  keys: times(5, { width: 200, sizes: times(12, 'XS') }),
  cloakroom: times(6, { width: 300, sizes: times(2, 'XL') }),
  large: [
    ...times(2, { width: 450, sizes: SMALL }),
    ...times(4, { width: 450, sizes: MIXED }),
    ...times(2, { width: 600, sizes: ['L', 'XL', 'L'] as const }),
  ],
} as const satisfies Record<string, Plan>;

export type Template = keyof typeof PLANS;
export const TEMPLATES: readonly Template[] = ['parcels', 'small', 'even', 'keys', 'cloakroom', 'large'];

/** A wall of new doors, tagged A01, A02 … down the columns. `next` makes keys that no other door has. */
export const fromTemplate = (template: Template, next: number, pattern = 'A{nn}', start = 1): Sketch =>
  tagged(
    PLANS[template].map(({ width, sizes }) => ({ width, doors: sizes.map((size) => ({ size, height: HEIGHT_OF[size] })) })),
    next,
    pattern,
    start,
  );

/** The shape of another wall, with new doors in it. */
export const likeWall = (sketch: Sketch, next: number, pattern = 'A{nn}'): Sketch => tagged(sketch, next, pattern);

const tagged = (
  shape: readonly { readonly width: number; readonly doors: readonly { readonly size: Size; readonly height: number }[] }[],
  next: number,
  pattern: string,
  start = 1,
): Sketch => {
  let made = next;
  let compartment = 0;
  const bare: Sketch = shape.map((column) => {
    const total = totalOf(column);
    let above = 0;
    return {
      key: `new-${made++}`,
      width: column.width,
      doors: column.doors.map(({ size, height }) => {
        const reach = reachAt(above, height, total);
        above += height;
        compartment += 1;
        const key = `new-${made++}`;
        return { key, lockerId: null, doorTag: '', compartment, size, reach, name: '', services: [], policyRef: null, height };
      }),
    };
  });
  const tags = tagsBy(bare, { pattern, order: 'columns', start }, null);
  return bare.map((column) => ({ ...column, doors: column.doors.map((door) => ({ ...door, doorTag: tags.get(door.key) ?? '' })) }));
};

export const countOf = (template: Template): number => doorsOf(fromTemplate(template, 1)).length;
