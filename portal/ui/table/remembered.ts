/** Which columns of a noun's list somebody showed or hid, in this browser. */
type Chosen = Record<string, boolean>;
const placeOf = (noun: string): string => `columns.${noun}`;

export const rememberedColumns = (noun: string): Chosen => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(noun)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
  } catch {
    return {};
  }
};

export const rememberColumns = (noun: string, chosen: Chosen): void => {
  try {
    localStorage.setItem(placeOf(noun), JSON.stringify(chosen));
  } catch {
    // Where storage is forbidden the choice lasts as long as the page.
  }
};
