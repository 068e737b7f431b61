import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameTag } from '@hatchway/domain/codes.ts';
import { layoutDiff, layoutFaults, lostDoors, type Hold } from '@hatchway/domain/layout.ts';
import { SIZES } from '@hatchway/domain/terms.ts';
import { effectOf } from './effect.ts';
import { edit, editorOf, type Action, type Editor } from './edit.ts';
import { begunFor, keptNumbering, newFault, ownNumbering, previewOf, tagsBy, unknownIn } from './numbering.ts';
import { columnsOf, doorsOf, drawingOf, type Sketch, type SketchDoor } from './sketch.ts';
import { tagWords } from './tags.ts';
import { fromTemplate, TEMPLATES } from './templates.ts';

/** A saved wall of three columns; the second and the fifth door are in use, the seventh is in doubt. */
const saved: Sketch = fromTemplate('even', 1).map((column) => ({
  ...column,
  key: `column-${column.key}`,
  doors: column.doors.slice(0, 4).map((door, row) => ({ ...door, key: `l${column.key}-${row}`, lockerId: `l${column.key}-${row}` })),
}));
const all = doorsOf(saved);
const holds = new Map<string, Hold>([
  [all[1]?.key ?? '', 'in-use'],
  [all[4]?.key ?? '', 'in-use'],
  [all[6]?.key ?? '', 'in-doubt'],
]);
const holdOf = (id: string) => holds.get(id) ?? null;
const nobody = () => null;
const start = editorOf(saved);
const keyAt = (editor: Editor, n: number): string => doorsOf(editor.now).at(n)?.key ?? 'none';

/** Actions that name doors and columns by their place, so that they mean something whatever came before. */
type Wish = (editor: Editor) => Action;
const n = fc.integer({ min: 0, max: 40 });
const pick = (editor: Editor, at: number) => keyAt(editor, at % Math.max(1, doorsOf(editor.now).length));
const columnKey = (editor: Editor, at: number) => editor.now[at % Math.max(1, editor.now.length)]?.key ?? 'none';
const wishes: fc.Arbitrary<Wish> = fc.oneof(
  fc.tuple(fc.constantFrom(...SIZES), n, n).map(([size, column, row]): Wish => () => ({
    kind: 'add-door',
    door: { size },
    at: { column, row },
  })),
  n.map((at): Wish => () => ({ kind: 'add-column', at })),
  fc.tuple(n, n, n).map(([door, column, row]): Wish => (e) => ({
    kind: 'move-door',
    key: pick(e, door),
    to: { column: column % Math.max(1, e.now.length), row },
  })),
  fc.tuple(n, n).map(([at, to]): Wish => (e) => ({ kind: 'move-column', key: columnKey(e, at), to })),
  n.map((at): Wish => (e) => ({ kind: 'remove', keys: [pick(e, at)] })),
  n.map((at): Wish => (e) => ({ kind: 'remove-column', key: columnKey(e, at) })),
  fc.tuple(n, fc.integer({ min: 2, max: 4 })).map(([at, parts]): Wish => (e) => ({ kind: 'split', key: pick(e, at), parts })),
  fc.tuple(n, fc.integer({ min: 1, max: 3 })).map(([at, more]): Wish => (e) => ({
    kind: 'merge',
    keys: Array.from({ length: more + 1 }, (_, i) => keyAt(e, (at % 12) + i)),
  })),
  fc.tuple(n, fc.integer({ min: -50, max: 4000 })).map(([at, height]): Wish => (e) => ({ kind: 'height', keys: [pick(e, at)], height })),
  fc.tuple(n, fc.integer({ min: -700, max: 700 })).map(([at, by]): Wish => (e) => ({ kind: 'border', key: pick(e, at), by })),
  fc.tuple(n, fc.integer({ min: -50, max: 4000 })).map(([at, width]): Wish => (e) => ({ kind: 'width', key: columnKey(e, at), width })),
  fc
    .tuple(fc.constantFrom('A{nn}', 'B{n}', '{c}{r}'), fc.constantFrom('columns' as const, 'rows' as const))
    .map(([pattern, order]): Wish => (e) => ({ kind: 'tags', tags: tagsBy(e.now, { pattern, order, start: 1 }, null) })),
  fc.constantFrom<Wish>(
    () => ({ kind: 'undo' }),
    () => ({ kind: 'redo' }),
  ),
);
const run = (wanted: readonly Wish[], from = start): Editor[] => {
  const seen = [from];
  for (const wish of wanted) {
    const before = seen.at(-1) ?? from;
    seen.push(edit(before, wish(before), holdOf));
  }
  return seen;
};
const last = (editors: readonly Editor[]): Editor => editors.at(-1) ?? start;

// shows R2.12
describe('whatever is done to a wall', () => {
  it('leaves one that can be built: nothing overlaps, tags and locks are each there once', () => {
    fc.assert(
      fc.property(fc.array(wishes, { maxLength: 40 }), (wanted) => {
        const { now } = last(run(wanted));
        expect(layoutFaults(drawingOf(now), drawingOf(start.base))).toEqual([]);
        const keys = [...now.map((column) => column.key), ...doorsOf(now).map((door) => door.key)];
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('never loses a door in use or in doubt, nor its lock', () => {
    fc.assert(
      fc.property(fc.array(wishes, { maxLength: 40 }), (wanted) => {
        for (const { now } of run(wanted)) expect(lostDoors(layoutDiff(drawingOf(saved), drawingOf(now)), holdOf)).toEqual([]);
      }),
    );
  });

  it('can be taken back, stroke by stroke, and done again', () => {
    fc.assert(
      fc.property(fc.array(wishes, { maxLength: 25 }), (wanted) => {
        const strokes = run(wanted.filter((wish) => !['undo', 'redo'].includes(wish(start).kind)));
        const done = last(strokes);
        let back = done;
        for (const _ of done.past) {
          const before = back;
          back = edit(back, { kind: 'undo' }, holdOf);
          expect(edit(back, { kind: 'redo' }, holdOf).now).toBe(before.now);
        }
        expect(back.now).toBe(saved);
      }),
    );
  });

  it('sends the server what makes the same wall of the saved one', () => {
    fc.assert(
      fc.property(fc.array(wishes, { maxLength: 25 }), (wanted) => {
        const { now } = last(run(wanted));
        const before = new Map(all.map((door) => [door.key, door]));
        const rebuilt = columnsOf(now, saved).map(({ width, doors }) => ({
          width,
          doors: doors.map((door) => ({ ...(before.get(door.lockerId ?? '') ?? { lockerId: null }), ...door })),
        }));
        const plain = (door: { [K in keyof SketchDoor]?: SketchDoor[K] | undefined }) => [
          door.lockerId ?? null,
          door.doorTag,
          door.compartment,
          door.size,
          door.height,
          door.name,
        ];
        expect(rebuilt.map((column) => [column.width, column.doors.map(plain)])).toEqual(
          now.map((column) => [column.width, column.doors.map(plain)]),
        );
      }),
    );
  });
});

describe('single strokes', () => {
  it('split keeps the door, and merge gives back what was', () => {
    const door = all[1];
    const split = edit(start, { kind: 'split', key: door?.key ?? '', parts: 2 }, nobody);
    const column = split.now[0]?.doors ?? [];
    expect(column.map(({ height }) => height)).toEqual([300, 150, 150, 300, 300]);
    expect(column[1]).toMatchObject({ lockerId: door?.lockerId, doorTag: door?.doorTag, size: 'S' });
    expect(column[2]?.lockerId).toBeNull();
    const merged = edit(split, { kind: 'merge', keys: [column[2]?.key ?? '', column[1]?.key ?? ''] }, nobody);
    expect(merged.now[0]?.doors[1]).toEqual(door);
  });

  it.each([
    [150, 2, [75, 75]],
    [145, 2, [73, 72]],
    [310, 3, [104, 103, 103]],
    [300, 4, [75, 75, 75, 75]],
  ])('splits a height of %i in %i equally, the upper ones a millimetre higher where it must be', (height, parts, heights) => {
    const key = all[0]?.key ?? '';
    const from = editorOf([{ key: 'one', width: 400, doors: all.slice(0, 1).map((door): SketchDoor => ({ ...door, height })) }]);
    const { now } = edit(from, { kind: 'split', key, parts }, nobody);
    expect(now[0]?.doors.map((door) => door.height)).toEqual(heights);
    expect(now[0]?.doors[0]?.key).toBe(key);
  });

  it('a door that something lies behind is neither split nor made less high', () => {
    const key = all[1]?.key ?? '';
    const strokes: Action[] = [
      { kind: 'split', key, parts: 2 },
      { kind: 'height', keys: [key], height: 150 },
      { kind: 'border', key, by: -150 },
    ];
    for (const stroke of strokes) {
      const refused = edit(start, stroke, holdOf);
      expect([stroke.kind, refused.now === saved, refused.refused]).toEqual([stroke.kind, true, { code: 'held', tags: [{ tag: 'A02', hold: 'in-use' }] }]); // prettier-ignore
    }
    expect(edit(start, { kind: 'height', keys: [key], height: 450 }, holdOf).refused).toBeNull();
  });

  it('a door that something lies behind is not made narrower by a third, in its column or in another', () => {
    const [first, second] = saved;
    if (!first || !second) throw new Error('no columns');
    const narrow = editorOf([first, { ...second, width: first.width / 2 }]);
    const key = all[1]?.key ?? '';
    const strokes: Action[] = [
      { kind: 'width', key: first.key, width: first.width / 2 },
      { kind: 'move-door', key, to: { column: 1, row: 0 } },
    ];
    for (const stroke of strokes) {
      expect(edit(narrow, stroke, holdOf).refused).toEqual({ code: 'held', tags: [{ tag: 'A02', hold: 'in-use' }] });
      expect(edit(narrow, stroke, nobody).refused).toBeNull();
    }
    expect(edit(narrow, { kind: 'width', key: first.key, width: first.width - 50 }, holdOf).refused).toBeNull();
  });

  it('a door that something lies behind is not made smaller by a third in several strokes either', () => {
    const doors = all.slice(1, 2).map((door): SketchDoor => ({ ...door, height: 1200, size: 'XL' }));
    const from = editorOf([{ key: 'one', width: 600, doors }]);
    const strokes: ((by: number) => Action)[] = [
      (by) => ({ kind: 'height', keys: [keyAt(from, 0)], height: 1200 - by * 2 }),
      (by) => ({ kind: 'width', key: 'one', width: 600 - by }),
    ];
    for (const stroke of strokes) {
      const once = edit(from, stroke(150), holdOf);
      expect([once.refused, edit(once, stroke(200), holdOf).refused?.code]).toEqual([null, 'held']);
    }
  });

  it('a door that something lies behind is not split, whatever its height, and whatever its size is called', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 3000 }), fc.constantFrom(...SIZES), fc.integer({ min: 2, max: 4 }), (height, size, parts) => {
        const doors = all.slice(1, 2).map((door): SketchDoor => ({ ...door, height, size }));
        const from = editorOf([{ key: 'one', width: 400, doors }]);
        const { now, refused } = edit(from, { kind: 'split', key: keyAt(from, 0), parts }, holdOf);
        expect([now === from.base, refused?.code === 'held' || refused?.code === 'too-small']).toEqual([true, true]);
      }),
    );
  });

  it('merge keeps the one door in use of two that are saved, and refuses two', () => {
    const pair = [all[0]?.key ?? '', all[1]?.key ?? ''];
    for (const keys of [pair, pair.toReversed()]) expect(edit(start, { kind: 'merge', keys }, holdOf).now[0]?.doors[0]?.key).toBe(pair[1]);
    const both = edit(start, { kind: 'merge', keys: pair }, () => 'in-use');
    expect([both.now, both.refused?.code]).toEqual([saved, 'held']);
    expect(edit(start, { kind: 'merge', keys: [all[0]?.key ?? '', all[2]?.key ?? ''] }, nobody).refused?.code).toBe('not-neighbours');
  });

  it('moves no door below those that are merged or split; below one that is taken away it does', () => {
    const movedBy = (action: Action) =>
      layoutDiff(drawingOf(saved), drawingOf(edit(start, action, nobody).now)).moved.map(({ lockerId }) => lockerId);
    const [first, second, third, fourth] = all.slice(0, 4).map(({ key }) => key);
    expect(movedBy({ kind: 'merge', keys: [first ?? '', second ?? ''] })).toEqual([first]);
    expect(movedBy({ kind: 'split', key: first ?? '', parts: 2 })).toEqual([first]);
    expect(movedBy({ kind: 'remove', keys: [first ?? ''] })).toEqual([second, third, fourth]);
    expect(movedBy({ kind: 'move-door', key: first ?? '', to: { column: 0, row: 1 } })).toEqual([second, first]);
  });

  it('tells of another height, and of the neighbour that gave it, where all doors get other tags as well', () => {
    const [first, second, third] = all;
    const lower = edit(start, { kind: 'border', key: first?.key ?? '', by: -50 }, nobody);
    const policy = edit(lower, { kind: 'describe', keys: [third?.key ?? ''], fields: { name: 'By the stairs' } }, nobody);
    const tags = tagsBy(policy.now, { pattern: 'Z{nn}', order: 'columns', start: 1 }, null);
    const effect = effectOf(saved, edit(policy, { kind: 'tags', tags }, nobody).now);
    expect(effect.renamed).toHaveLength(all.length);
    expect(effect.resized.map(({ door, from }) => [door.lockerId, from.height, door.height])).toEqual([
      [first?.key, first?.height, (first?.height ?? 0) - 50],
      [second?.key, second?.height, (second?.height ?? 0) + 50],
    ]);
    expect(effect.rest.map(({ lockerId }) => lockerId)).toEqual([third?.key]);
  });

  it('names the doors that keep something from being taken away', () => {
    const refused = edit(start, { kind: 'remove-column', key: saved[0]?.key ?? '' }, holdOf);
    expect(refused.refused).toEqual({ code: 'held', tags: [{ tag: 'A02', hold: 'in-use' }] });
    expect(refused.now).toBe(saved);
  });

  it('does not do again what would lose a door that was filled meanwhile', () => {
    const gone = edit(start, { kind: 'remove', keys: [all[0]?.key ?? ''] }, holdOf);
    const back = edit(gone, { kind: 'undo' }, holdOf);
    const again = edit(back, { kind: 'redo' }, (id) => (id === all[0]?.key ? 'in-use' : holdOf(id)));
    expect([again.now, again.refused?.code]).toEqual([saved, 'held']);
  });

  it('a border moves between two doors and leaves the column as tall as it was', () => {
    const moved = edit(start, { kind: 'border', key: all[0]?.key ?? '', by: 96 }, nobody).now[0]?.doors ?? [];
    expect(moved.map((door) => door.height)).toEqual([400, 200, 300, 300]);
  });
});

describe('numbers', () => {
  it('begins with the pattern of the wall’s own tags', () => {
    const numbering = { pattern: 'C-{nnn}', order: 'columns', start: 13 } as const;
    const { now } = edit(start, { kind: 'tags', tags: tagsBy(saved, numbering, null) }, nobody);
    expect(ownNumbering(now)).toEqual(numbering);
    expect(previewOf(now, tagsBy(now, ownNumbering(now), null), holdOf).changes).toEqual([]);
    expect(ownNumbering([])).toMatchObject({ pattern: 'A{nn}', start: 1 });
  });

  it('run down the columns or along the rows, and say what they change', () => {
    const down = [...tagsBy(saved, { pattern: 'B{nn}', order: 'columns', start: 5 }, null).values()];
    expect(down.slice(0, 5)).toEqual(['B05', 'B06', 'B07', 'B08', 'B09']);
    const along = tagsBy(saved, { pattern: 'B{n}', order: 'rows', start: 1 }, null);
    expect([all[0], all[4], all[8], all[1]].map((door) => along.get(door?.key ?? ''))).toEqual(['B1', 'B2', 'B3', 'B4']);
    const byPlace = tagsBy(saved, { pattern: '{c}-{r}', order: 'columns', start: 1 }, null);
    expect([byPlace.get(all[0]?.key ?? ''), byPlace.get(all[11]?.key ?? '')]).toEqual(['A-1', 'C-4']);
    const { changes, fault } = previewOf(saved, along, holdOf);
    expect(fault).toBeNull();
    expect(changes).toHaveLength(12);
    expect(changes.filter((one) => one.hold !== null).map((one) => one.from)).toEqual(['A02', 'A07', 'A09']);
  });

  it('leave doors alone that are not theirs who number, whose places count', () => {
    const theirs = new Set([all[0]?.key, all[2]?.key]);
    const tags = tagsBy(saved, { pattern: 'B{nn}', order: 'columns', start: 1 }, null, ({ key }) => theirs.has(key));
    expect([...tags]).toEqual([
      [all[0]?.key, 'B01'],
      [all[2]?.key, 'B03'],
    ]);
  });

  it('begin with what the chosen doors bear, and after the last where others bear the next', () => {
    const keysAt = (...at: number[]) => new Set(at.map((one) => all[one]?.key ?? ''));
    expect(begunFor(saved, null)).toEqual(ownNumbering(saved));
    // A03 and A04, beside each other
    expect(begunFor(saved, keysAt(2, 3))).toMatchObject({ pattern: 'A{nn}', start: 3 });
    // A02 and A09: the one after A02 is another door's
    const apart = begunFor(saved, keysAt(1, 6));
    expect(apart).toMatchObject({ pattern: 'A{nn}', start: 17 });
    expect(previewOf(saved, tagsBy(saved, apart, keysAt(1, 6)), nobody).fault).toBeNull();
  });

  it('of another drawing are the wall’s own, from the lowest on', () => {
    const numbered = (pattern: string, from: number) =>
      edit(start, { kind: 'tags', tags: tagsBy(saved, { pattern, order: 'rows', start: from }, null) }, nobody).now;
    expect(keptNumbering(numbered('C-{nnn}', 13).toReversed())).toMatchObject({ pattern: 'C-{nnn}', start: 13 });
    expect(keptNumbering(numbered('{c}{r}', 1))).toMatchObject({ pattern: '{c}{r}', start: 1 });
    expect(keptNumbering(numbered('HALL', 1))).toBeNull();
    expect(keptNumbering([])).toBeNull();
  });

  it('name what a pattern has in braces that means nothing', () => {
    expect(['A{nn}', '{c}-{r}', '{nnnn}', 'E{q}', 'E{nn}{N}', '{}'].map(unknownIn)).toEqual([null, null, null, '{q}', '{N}', '{}']);
    expect([newFault(fromTemplate('small', 1, 'E{q}')), newFault(fromTemplate('small', 1, 'E'))]).toEqual(['wrong', 'same']);
  });

  it('are told in their order, with the wall that bears them', () => {
    const walls: Record<string, string> = { A9: 'North', A10: 'North', B1: 'South' };
    expect(tagWords(['A10', 'B1', 'A9', 'C1', 'A10'], (tag) => walls[tag])).toBe('A9, A10 (North); B1 (South); C1');
  });

  it('say when a pattern gives one tag twice, or one that no label can carry', () => {
    const fault = (pattern: string, keys: ReadonlySet<string> | null = null) =>
      previewOf(saved, tagsBy(saved, { pattern, order: 'columns', start: 1 }, keys), nobody).fault;
    expect(fault('SAME')).toBe('same');
    expect(fault('A{nn}', new Set([all[3]?.key ?? '']))).toBe('same');
    expect(fault('a b {n}')).toBe('wrong');
    expect(fault('C{nn}')).toBeNull();
  });
});

describe('templates', () => {
  it.each(TEMPLATES)('%s can be built as it is', (template) => {
    const sketch = fromTemplate(template, 1);
    expect(layoutFaults(drawingOf(sketch), [])).toEqual([]);
    expect(new Set(sketch.map((column) => column.doors.reduce((sum, door) => sum + door.height, 0))).size).toBe(1);
    expect(doorsOf(sketch).every((door) => sameTag(door.doorTag) === door.doorTag)).toBe(true);
  });
});
