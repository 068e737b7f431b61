import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { wallQuery } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { cabinetQuery, sitesQuery } from './api.ts';
import { Check } from './check.tsx';
import { DoubtList } from './doubt-list.tsx';
import { useTitleFocus } from './focus-after.ts';
import { Labels } from './labels.tsx';
import { Overview } from './overview.tsx';
import { WallsButton } from './walls-button.tsx';
import type { BuilderSearch } from './search.ts';
import { Placeholder } from '../../ui/panel.tsx';

// What drags is loaded when somebody builds, not when somebody looks.
const EditorScreen = lazy(() => import('./editor.tsx').then((module) => ({ default: module.EditorScreen })));

/** The locker builder and the lockers in doubt; its address says which part. */
// Its type is written out: the route tree needs it, and it needs the tree's addresses.
export const Builder = ({ search }: { search: BuilderSearch }): ReactNode => {
  const { t } = useTranslation();
  const access = useAccess();
  useTitleFocus(`${search.cabinet ?? ''} ${search.view ?? ''}`);
  if (!access.builds)
    return (
      <Notice title={t('builder.notYours')} text={t('builder.notYoursText')}>
        <Button component={Link} to="/" variant="default">
          {t('pages.notFound.home')}
        </Button>
      </Notice>
    );
  if (search.view === 'doubt') return <DoubtList search={search} />;
  if (search.view === 'check') return <Check />;
  if (search.cabinet === undefined) return <Overview search={search} />;
  return <OneCabinet key={search.cabinet} id={search.cabinet} labels={search.view === 'labels'} />;
};

const OneCabinet = ({ id, labels }: { id: string; labels: boolean }) => {
  const { t } = useTranslation();
  const api = useApi();
  const cabinet = useQuery(cabinetQuery(api, id));
  const lockers = useQuery(wallQuery(api, id));
  const sites = useQuery(sitesQuery(api));
  const error = cabinet.error ?? lockers.error;
  const bones = <Placeholder height={480} />;
  const note = error && <ProblemNote error={error} onRetry={() => void Promise.all([cabinet.refetch(), lockers.refetch()])} />;
  // Once there is a wall, strokes stand on it that nobody saved yet: a read that failed takes none of them away.
  if (!cabinet.data || !lockers.data)
    return !error ? (
      bones
    ) : (
      <>
        {note}
        <WallsButton search={{}} variant="default" mt="md">
          {t('builder.all')}
        </WallsButton>
      </>
    );
  if (labels) {
    // A label that does not say where it belongs is not printed for want of a moment's patience.
    if (sites.isPending) return bones;
    const failed = note || (sites.error && <ProblemNote error={sites.error} onRetry={() => void sites.refetch()} />);
    const site = sites.data?.find(({ id: one }) => one === cabinet.data.siteId);
    return (
      <>
        {failed && <div className="hw-noprint">{failed}</div>}
        <Labels cabinet={cabinet.data} site={site} lockers={lockers.data} />
      </>
    );
  }
  return (
    <>
      {note}
      <Suspense fallback={bones}>
        <EditorScreen cabinet={cabinet.data} lockers={lockers.data} sites={sites.data ?? []} />
      </Suspense>
    </>
  );
};
