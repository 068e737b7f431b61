import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COLOUR_PATTERN, contrast, inkOn } from '../colour.ts';

it('any colour has an ink that is read on it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const colour = `#${number.toString(16).padStart(6, '0')}`;
      expect(colour).toMatch(COLOUR_PATTERN);
      expect(contrast(colour, inkOn(colour))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect([inkOn('#0b6b64'), inkOn('#ffd400')]).toEqual(['#ffffff', '#000000']);
});
