import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';

type Asked<T> = { rows: T[]; clear: () => void };

/**
 * A table's `bulk` of one button, for those of the chosen rows that it `fits`, and the rows that it was pressed for: the dialog about them
 * stands outside of the table, whose rows go while it works.
 */
export const useSeveral = <T,>(word: string, fits?: (row: T) => boolean) => {
  const [asked, setAsked] = useState<Asked<T> | null>(null);
  const bulk = useCallback(
    (chosen: T[], clear: () => void): ReactNode => {
      const rows = fits ? chosen.filter(fits) : chosen;
      return (
        <Button size="xs" variant="default" disabled={rows.length === 0} onClick={() => setAsked({ rows, clear })}>
          {word}
        </Button>
      );
    },
    [word, fits],
  );
  const close = (done: boolean): void => {
    if (done) asked?.clear();
    setAsked(null);
  };
  return { bulk, rows: asked?.rows ?? null, close };
};
