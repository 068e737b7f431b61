import type { CallResult } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { kindWord } from '../../app/kind-word.ts';
import { useApi } from '../../app/portal.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { stageWord } from '../../ui/stage-badge.tsx';
import type { Member } from './api.ts';

type Use = CallResult<'GET /occupations'>[number];
const MOST = 100;

/** What is meant for these members, or is with them, and goes on without them. */
export const useLeftBehind = (members: readonly Member[]) => {
  const api = useApi();
  const q = { memberId: { $in: members.slice(0, MOST).map(({ id }) => id) }, stage: { $lt: STAGES.TERMINATED } };
  return useQuery({
    queryKey: ['occupations', 'list', { q, limit: MOST }],
    queryFn: ({ signal }) => api('GET /occupations', { query: { q, limit: MOST }, signal }),
  });
};

export const LeftBehind = ({ of }: { of: ReturnType<typeof useLeftBehind> }) => {
  const { t } = useTranslation();
  if (of.isError) return <ProblemNote error={of.error} onRetry={() => void of.refetch()} />;
  if (!of.data || of.data.length === 0) return null;
  const words = (use: Use): string =>
    [use.doorTag, use.assetText ?? use.assetName, use.receiver?.name, `${kindWord(use, t)}, ${stageWord(use, t)}`]
      .filter(Boolean)
      .join(' · ');
  return (
    <div role="alert">
      <p>
        <strong>{t('members.leavesOpen', { count: of.data.length })}</strong>
      </p>
      <ul>
        {of.data.map((use) => (
          <li key={use.id}>
            <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: use.id }} />}>
              {words(use)}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  );
};
