import { describe, expect, it } from 'vitest';
import { emptyDraft } from './draft.ts';
import { dated, type Kept } from './kept.ts';

const kept: Kept = {
  draft: emptyDraft('asset', 'k'),
  occupationId: null,
  byHand: false,
  pinned: null,
  lost: null,
  begunAt: null,
  aside: null,
};
const typed = (text: string, begunAt: string | null): Kept => ({ ...kept, begunAt, draft: { ...kept.draft, text } });

describe('since when a draft stands', () => {
  it('is the moment of its first word, as long as there is one', () => {
    expect(dated(kept, 'now').begunAt).toBeNull();
    expect(dated(typed('Parcel', null), 'now').begunAt).toBe('now');
    expect(dated(typed('Parcel 77', 'before'), 'now').begunAt).toBe('before');
    expect(dated(typed('  ', 'before'), 'now').begunAt).toBeNull();
  });
});
