/** Lines above the axis, at most. */
const LINES = 4;

/** Where an axis from nothing to `most` has its lines: whole, round multiples of `unit`, the last at or above `most`. */
export const ticksOf = (most: number, unit = 1): number[] => {
  const needed = most / unit / LINES;
  let ten = 1;
  while (10 * ten < needed) ten *= 10;
  const step = unit * ([1, 2, 5, 10].map((one) => one * ten).find((one) => one >= needed) ?? ten);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
};
