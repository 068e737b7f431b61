/** Pixels of one row of walls, kept free until they are there, so that nothing below them jumps. */
export const WALLS_HIGH = 212;
