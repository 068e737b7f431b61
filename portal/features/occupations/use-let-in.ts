import { STAGES } from '@hatchway/domain/terms.ts';
import { useState } from 'react';
import type { Occupation } from '../../app/queries.ts';

/**
 * Claims, once: let in by this dialog already, where the door would not open, only the door is tried again. A claim that this dialog did
 * not make is somebody else's, whose door it is: then the server is asked, and says so.
 */
export const useLetIn = (one: Occupation) => {
  const [mine, setMine] = useState(false);
  return async (claim: () => Promise<unknown>): Promise<void> => {
    if (mine && one.stage === STAGES.CLAIMING) return;
    setMine(false);
    await claim();
    setMine(true);
  };
};
