import { STAGES } from '@hatchway/domain/terms.ts';
import { useState } from 'react';
import { usePortal } from '../../app/portal.ts';
import { occupationQuery, type Occupation } from '../../app/queries.ts';

/**
 * Claims, once: let in by this dialog already, where the door would not open, only the door is tried again. Whether the claim still holds
 * the server is asked: a door that stayed shut ends it, and word of that may come after the next press. A claim that this dialog did not
 * make is somebody else's, whose door it is: then the server says so.
 */
export const useLetIn = ({ id }: Occupation) => {
  const { api, queryClient } = usePortal();
  const [mine, setMine] = useState(false);
  return async (claim: () => Promise<unknown>): Promise<void> => {
    const { stage } = mine ? await queryClient.fetchQuery({ ...occupationQuery(api, id), staleTime: 0 }) : { stage: null };
    if (stage === STAGES.CLAIMING) return;
    setMine(false);
    await claim();
    setMine(true);
  };
};
