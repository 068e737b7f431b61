import { readScan } from '@hatchway/domain/codes.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useAccess } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { tagQuery } from '../lockers/api.ts';

/** Nothing that runs and may be seen fits: a door may be somebody else's, and what has ended stands elsewhere. */
export const NothingFound = ({ find }: { find: string }): ReactNode => {
  const { t } = useTranslation();
  const access = useAccess();
  const scan = readScan(find);
  const door = useQuery({ ...tagQuery(useApi(), scan.value), enabled: scan.kind === 'tag' }).data;
  // A code or a link opens a door: it goes into no address.
  const carried = scan.kind === 'tag' || scan.kind === 'text' ? { find: scan.value } : {};
  const taken = door?.occupation ? door.doorTag : null;
  return (
    <Notice
      level={2}
      title={taken === null ? t('occupations.manage.none', { text: find }) : t('occupations.manage.othersDoor', { tag: taken })}
      text={taken === null ? t('occupations.manage.noneText') : t('occupations.manage.othersDoorText')}
    >
      {access.manage && (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/manage/occupations" search={{ view: 'ended', sort: '-updatedAt', ...carried }} />}
        >
          {t('occupations.manage.toEnded')}
        </Button>
      )}
      {access.history && (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/history" search={carried} />}>
          {t('frame.history')}
        </Button>
      )}
    </Notice>
  );
};
