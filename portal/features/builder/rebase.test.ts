import { describe, expect, it } from 'vitest';
import { edit, editorOf, type Action, type Editor } from './edit.ts';
import { ownSaved, rebased } from './rebase.ts';
import { builtOf, doorsOf, type Sketch } from './sketch.ts';
import { fromTemplate } from './templates.ts';

const saved: Sketch = fromTemplate('even', 1)
  .slice(0, 2)
  .map((column, at) => ({ ...column, key: `column-${at}`, doors: column.doors.slice(0, 2).map((door) => ({ ...door, key: `l-${door.doorTag}`, lockerId: `l-${door.doorTag}` })) })); // prettier-ignore
const nobody = () => null;
const drawn = (from: Editor, ...strokes: Action[]): Editor => strokes.reduce((editor, stroke) => edit(editor, stroke, nobody), from);
const ADD: Action = { kind: 'add-door', door: { size: 'M' }, at: { column: 0, row: 2 } };
/** As the server answers: each new door has a locker by now. */
const built = (sketch: Sketch): Sketch =>
  builtOf(sketch, {
    columns: sketch.map(({ width, doors }) => ({
      width,
      doors: doors.map(({ lockerId, doorTag, height }) => ({ lockerId: lockerId ?? `l-${doorTag}`, height })),
    })),
  });
const keyOf = (sketch: Sketch): string => doorsOf(sketch)[0]?.key ?? '';
const named = (sketch: Sketch) => doorsOf(sketch).map(({ key, lockerId, doorTag, name }) => [key, lockerId, doorTag, name].join(' '));

describe('strokes that were saved though the answer was lost', () => {
  const mine = drawn(editorOf(saved), ADD);
  const made = doorsOf(mine.now).find(({ lockerId }) => lockerId === null);

  it('are what is saved: nothing is left to be saved, and no door to be made', () => {
    const kept = rebased(mine, built(mine.now), 'mine');
    expect(kept.now).toBe(kept.base);
    expect(named(kept.now)).toContain(`l-${made?.doorTag} l-${made?.doorTag} ${made?.doorTag} `);
  });

  it('are told apart from what was drawn after them, whatever is undone then', () => {
    const more = drawn(mine, { kind: 'describe', keys: [made?.key ?? ''], fields: { doorTag: 'Z01', name: 'New' } }, ADD);
    const kept = rebased(more, built(mine.now), 'mine');
    expect(named(kept.now).filter((door) => !door.startsWith('l-'))).toHaveLength(1);
    expect(named(kept.now)).toContain(`l-${made?.doorTag} l-${made?.doorTag} Z01 New`);
    for (let back = kept; back.past.length > 0;) {
      back = edit(back, { kind: 'undo' }, nobody);
      expect(new Set(doorsOf(back.now).map(({ key }) => key)).size).toBe(doorsOf(back.now).length);
      expect(doorsOf(back.now).some(({ key }) => key === made?.key)).toBe(false);
    }
  });

  it('are known, whatever was drawn or undone since they were sent; none is, where somebody else saved', () => {
    const there = built(mine.now);
    expect(ownSaved(mine, there)).toBe(mine.now);
    expect(ownSaved(drawn(mine, { kind: 'describe', keys: [made?.key ?? ''], fields: { name: 'New' } }), there)).toBe(mine.now);
    const undone = drawn(mine, ADD, { kind: 'undo' }, { kind: 'undo' });
    expect(ownSaved(undone, there)).toBe(mine.now);
    expect(ownSaved(mine, saved)).toBeUndefined();
    const renamed = (sketch: Sketch) =>
      drawn(editorOf(sketch), { kind: 'describe', keys: [keyOf(sketch)], fields: { name: 'Theirs' } }).now;
    for (const theirs of [renamed(saved), renamed(there)]) expect(ownSaved(mine, theirs)).toBeUndefined();
  });

  it('meet their doors where one of several was undone since', () => {
    const two = drawn(mine, ADD);
    const kept = rebased(drawn(two, { kind: 'undo' }), built(two.now), 'mine');
    expect(named(kept.now)).toContain(`l-${made?.doorTag} l-${made?.doorTag} ${made?.doorTag} `);
  });

  it('meet their doors, too, where they are brought back after what is saved was shown', () => {
    const shown = rebased(mine, built(mine.now), 'theirs');
    expect(shown.now).toBe(shown.base);
    expect(named(edit(shown, { kind: 'undo' }, nobody).now)).toEqual(named(shown.base));
  });

  it('are not somebody else’s door, though both were given the same tag and lock', () => {
    if (!made) throw new Error('no new door');
    const { key, doorTag, compartment } = made;
    const same: Action = { kind: 'describe', keys: [key], fields: { doorTag, compartment } };
    const theirs = built(drawn(editorOf(saved), { ...ADD, at: { column: 1, row: 2 } }, same).now);
    expect(named(theirs)).toContain(`l-${doorTag} l-${doorTag} ${doorTag} `);
    expect(named(rebased(mine, theirs, 'mine').now)).toEqual(named(mine.now));
  });

  it('are not somebody else’s door in the same place, on another lock', () => {
    const theirs = built(drawn(mine, { kind: 'describe', keys: [made?.key ?? ''], fields: { compartment: 77 } }).now);
    expect(named(rebased(mine, theirs, 'mine').now)).toEqual(named(mine.now));
  });
});

// shows R2.12
describe('a wall that was saved and is drawn on', () => {
  const column: Action = { kind: 'add-column', at: 2 };
  const moved: Action = { kind: 'move-door', key: doorsOf(saved)[1]?.key ?? '', to: { column: 2, row: 0 } };

  it('has each column once: a new one that is taken away takes no other with it', () => {
    const kept = built(drawn(editorOf(saved), column, moved).now);
    const more = drawn(editorOf(kept), column);
    const keys = more.now.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const without = drawn(more, { kind: 'remove-column', key: more.now[2]?.key ?? '' });
    expect(doorsOf(without.now)).toEqual(doorsOf(kept));
  });

  it('has each column once, too, where strokes came while it was saved', () => {
    const sent = drawn(editorOf(saved), column, moved);
    const more = drawn(rebased(drawn(sent, ADD), built(sent.now), 'mine'), column);
    const keys = more.now.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
