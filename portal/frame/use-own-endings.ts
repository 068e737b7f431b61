import { STAGES } from '@hatchway/domain/terms.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../app/portal.ts';
import { usePreference } from '../app/preferences.ts';
import type { Occupation } from '../app/queries.ts';
import { toast } from '../app/toasts.ts';

/** Says it when somebody picked up what this person put in, unless a screen that shows it says so already. */
export const useOwnEndings = (): void => {
  const { t } = useTranslation();
  const { live, session, queryClient } = usePortal();
  const wanted = usePreference('notifications') === 'on';
  useEffect(() => {
    if (!wanted) return undefined;
    // What has ended no longer names who took it, so that is heard while they stand there.
    const taking = new Set<string>();
    const release = live.subscribe('occupations');
    const stop = live.onChange(({ noun, data }) => {
      const row = noun === 'occupations' ? (data as Occupation | null) : null;
      const { account_id, sub } = session.data();
      const me = account_id ?? sub;
      if (row === null || row.createdBy.id !== me) return;
      if (row.stage === STAGES.CLAIMING && row.claimedBy !== null && row.claimedBy.id !== me) taking.add(row.id);
      else if (row.stage < STAGES.CLAIMING) taking.delete(row.id);
      else if (row.stage === STAGES.TERMINATED && taking.delete(row.id)) {
        const shown = queryClient.getQueryCache().findAll({ queryKey: ['occupations', row.id] });
        if (shown.some((query) => query.getObserversCount() > 0)) return;
        const values = { tag: row.doorTag, what: row.assetText ?? row.assetName ?? t(`terms.type.${row.type}`) };
        toast.ok(row.type === 'storage' ? t('frame.storageEnded', values) : t('frame.pickedUp', values));
      }
    });
    return () => {
      release();
      stop();
    };
  }, [wanted, live, session, queryClient, t]);
};
