import { describe, expect, it } from 'vitest';
import { countLooks, type DoorView } from './model.ts';

const free: DoorView = { id: 'l1', tag: 'A-1', size: 'M', look: 'free', ajar: false };

describe('what the doors of a wall show', () => {
  it('is counted by look, and a door that is drawn swung as open beside whatever graver its fill says', () => {
    const broken: DoorView = { ...free, look: 'out-of-service', ajar: true };
    const counts = countLooks([free, broken, { ...free, look: 'open', ajar: true }, { ...free, look: null }]);
    expect(Object.fromEntries(counts)).toEqual({ free: 1, 'out-of-service': 1, open: 2 });
  });
});
