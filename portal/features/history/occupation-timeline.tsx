import type { Client } from '@hatchway/contract/client.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { kindWord } from '../../app/kind-word.ts';
import { span } from '../../app/dates.ts';
import { usePortal } from '../../app/portal.ts';
import { codeOf } from '../../app/problem.ts';
import { occupationQuery } from '../../app/queries.ts';
import { PAGE, whole } from '../../app/whole.ts';
import { DetailLayout } from '../../ui/detail-layout.tsx';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { messagesQuery } from '../occupations/api.ts';
import { MessageList } from '../occupations/message-list.tsx';
import { Timeline } from './timeline.tsx';

const storyQuery = (api: Client, occupationId: string) =>
  queryOptions({
    queryKey: ['history', 'story', { q: { occupationId } }],
    queryFn: ({ signal }) =>
      whole((cursor) => api.page('GET /history', { query: { q: { occupationId }, sort: 'at', limit: PAGE, ...cursor }, signal })),
  });

/** One occupation's whole story, oldest first: who, what, when, which door, how long. It goes on by itself while it runs. */
export const OccupationTimeline = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const { api } = usePortal();
  const occupation = useQuery(occupationQuery(api, id));
  const events = useQuery(storyQuery(api, id));
  // Not theirs to see, the story is told without them.
  const messages = useQuery({ ...messagesQuery(api, id), retry: false });
  const one = occupation.data;
  const now = useNow();
  const ended = one ? one.stage >= STAGES.TERMINATED : false;
  const from = events.data?.[0]?.at;
  const to = ended ? events.data?.findLast((event) => event.type !== 'occupation_archived')?.at : undefined;
  const time = from ? span((to ? Date.parse(to) : now) - Date.parse(from)) : null;
  const code = codeOf(occupation.error);
  if (code === 'not-found' || code === 'malformed') {
    return (
      <Notice title={t('occupations.manage.gone')} text={t('occupations.manage.noneText')}>
        <Button renderRoot={(props) => <Link {...props} to="/history" search={{}} />}>{t('frame.history')}</Button>
      </Notice>
    );
  }
  return (
    <>
      <PageHeader
        title={t('history.timelineTitle')}
        intro={one && [kindWord(one, t), one.doorTag, one.receiver?.name ?? one.assetText ?? one.assetName].filter(Boolean).join(' · ')}
        actions={
          one && (
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id }} />}>
              {t('history.manageIt')}
            </Button>
          )
        }
      />
      {occupation.isError && <ProblemNote error={occupation.error} onRetry={() => void occupation.refetch()} />}
      <DetailLayout
        aside={
          one && (
            <Panel title={t('terms.occupation')}>
              <Facts
                rows={[
                  [t('manage.occupations.stage'), <UseBadge key="stage" one={one} />],
                  ...(one.overdue ? ([[t('manage.occupations.state'), <OverdueBadge key="overdue" />]] as const) : []),
                  [t('terms.locker'), one.doorTag],
                  [t('terms.receiver'), one.receiver?.name ?? '–'],
                  [t('manage.occupations.content'), one.assetText ?? one.assetName ?? '–'],
                  [t('manage.occupations.created'), <Moment key="created" at={one.createdAt} />],
                  [t('manage.occupations.createdBy'), one.createdBy.name],
                ]}
              />
            </Panel>
          )
        }
      >
        <Panel title={t('history.timeline')} aside={time && <span>{t(ended ? 'history.lasted' : 'history.running', { time })}</span>}>
          <Waiting of={events} lines={6} height={28} />
          {events.data && <Timeline events={events.data} messages={messages.data ?? []} />}
        </Panel>
        {one && one.receiver !== null && (
          <Panel title={t('occupations.messages')}>
            <MessageList occupationId={id} empty={t('occupations.manage.noMessages')} />
          </Panel>
        )}
      </DetailLayout>
    </>
  );
};
