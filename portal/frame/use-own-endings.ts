import { STAGES } from '@hatchway/domain/terms.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Change } from '../app/cache.ts';
import { usePortal } from '../app/portal.ts';
import { usePreference } from '../app/preferences.ts';
import type { Occupation } from '../app/queries.ts';
import { toast } from '../app/toasts.ts';

const ended = ({ noun, data }: Change): Occupation | null => {
  const row = noun === 'occupations' ? (data as Occupation | null) : null;
  return row?.stage === STAGES.TERMINATED && row.claimedBy ? row : null;
};

/** Says it when somebody picked up what this person put in, unless a screen that shows it says so already. */
export const useOwnEndings = (): void => {
  const { t } = useTranslation();
  const { live, session, queryClient } = usePortal();
  const wanted = usePreference('notifications') === 'on';
  useEffect(() => {
    if (!wanted) return undefined;
    const told = new Set<string>();
    const release = live.subscribe('occupations');
    const stop = live.onChange((change) => {
      const row = ended(change);
      const me = session.data().sub;
      if (row === null || row.createdBy.id !== me || row.claimedBy?.id === me || told.has(row.id)) return;
      told.add(row.id);
      const shown = queryClient.getQueryCache().findAll({ queryKey: ['occupations', row.id] });
      if (shown.some((query) => query.getObserversCount() > 0)) return;
      toast.ok(t('frame.pickedUp', { tag: row.doorTag, what: row.assetText ?? row.assetName ?? t(`terms.type.${row.type}`) }));
    });
    return () => {
      release();
      stop();
    };
  }, [wanted, live, session, queryClient, t]);
};
