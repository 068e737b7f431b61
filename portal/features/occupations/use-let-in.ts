import { STAGES } from '@hatchway/domain/terms.ts';
import { useState } from 'react';
import { isAnswered } from '../../app/once.ts';
import { usePortal } from '../../app/portal.ts';
import { occupationQuery, type Occupation } from '../../app/queries.ts';
import { useMe } from '../../app/who.ts';
import { paymentQuery } from '../payments/api.ts';

/**
 * Claims, once: let in by this dialog already, where the door would not open or the answer was lost, only the door is tried again. Whether
 * that claim stands the server is asked: a door that stayed shut ends it, and word of that may come after the next press. It stands by the
 * payment that it is on, else by who made it. A claim that this dialog did not make is somebody else's, whose door it is: then the server
 * says so.
 */
export const useLetIn = ({ id }: Occupation) => {
  const { api, queryClient } = usePortal();
  const me = useMe().data?.account.id;
  const [asked, setAsked] = useState(false);
  return async (claim: () => Promise<unknown>, paymentId?: string): Promise<void> => {
    const stands = async (): Promise<boolean> => {
      const { stage, claimedBy } = await queryClient.fetchQuery({ ...occupationQuery(api, id), staleTime: 0 });
      if (stage !== STAGES.CLAIMING) return false;
      if (paymentId === undefined) return claimedBy?.id === me;
      return (await queryClient.fetchQuery({ ...paymentQuery(api, paymentId), staleTime: 0 })).claimed;
    };
    if (asked && (await stands())) return;
    setAsked(true);
    try {
      await claim();
    } catch (error) {
      // What this press was refused says nothing of an earlier one.
      if (isAnswered(error)) setAsked(asked);
      throw error;
    }
  };
};
