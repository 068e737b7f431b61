/** These screens are drawn with the first style sheet and the first words alone; every other one waits for the whole of both. */
export const LIGHT: ReadonlySet<string> = new Set(['/', '/dash']);
