import type { MouseEvent } from 'react';

/** A double click is one press: what the first one asked may be answered by the time of the second, and must not be asked anew by it. */
export const isOnePress = ({ detail }: { detail: number }): boolean => detail < 2;

/** The second click of a double click falls beside the dialog that the first one opened: it is no wish to close that. */
export const keepOpen = (press: MouseEvent): void => {
  if (!isOnePress(press)) press.stopPropagation();
};
