import { letsOut, STAGES } from '@hatchway/domain/terms.ts';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { labelsQuery } from './api.ts';

/** More ids than this make too long an address: then all that wait are asked for. */
const NAMED = 100;

/** Who waits for one of these things in a locker, where the label that is chosen would keep it in. */
export const WhoWaits = ({ ids, labelId }: { ids: string[]; labelId: string | null }) => {
  const { t } = useTranslation();
  const api = useApi();
  const label = useQuery(labelsQuery(api)).data?.find(({ id }) => id === labelId);
  const q = {
    type: 'lending',
    stage: { $lt: STAGES.VACANT },
    ...(ids.length > NAMED ? {} : { assetId: { $in: ids } }),
  } as const;
  const waiting = useQuery({
    queryKey: ['occupations', 'list', { q, limit: 500 }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q, limit: 500 }, signal }),
    enabled: !letsOut(label?.type ?? null),
  });
  const rows = (waiting.data ?? []).filter(({ assetId }) => assetId !== null && ids.includes(assetId));
  if (letsOut(label?.type ?? null) || rows.length === 0) return null;
  return (
    <div role="alert" className="hw-wrong">
      <p>{t('assets.keptFrom')}</p>
      <ul>
        {rows.map(({ id, assetName, receiver, doorTag }) => (
          <li key={id}>
            <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id }} />}>
              {[receiver?.name ?? t('assets.keptFromAll'), assetName, doorTag].filter(Boolean).join(' · ')}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  );
};
