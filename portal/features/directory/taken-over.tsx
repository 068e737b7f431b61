import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { countsQuery, type DirectoryGroup } from './api.ts';
import styles from './directory.module.css';
import { GroupsTable } from './groups-table.tsx';
import { MappingDialog } from './mapping-dialog.tsx';
import { PeopleTable } from './people-table.tsx';
import type { DirectorySearch } from './search.ts';

export type Source = 'scim' | 'entra';
type Props = {
  source: Source;
  to: '/integration/scim' | '/integration/entraid';
  search: DirectorySearch;
  onSearch: (change: Partial<DirectorySearch>) => void;
};

/** What a directory told of: its people, with what became of them, and its groups, with what their people get. On each directory's own page. */
export const TakenOver = ({ source, to, search, onSearch }: Props) => {
  const { t } = useTranslation();
  const counts = useQuery(countsQuery(useApi())).data?.find((one) => one.source === source);
  const [open, setOpen] = useState<DirectoryGroup | null>(null);
  const isGroups = search.tab === 'groups';
  return (
    <section aria-label={t('directory.takenOver')} className={styles.below}>
      {counts && (
        <p className={styles.counts}>
          {t('directory.counts', { taken: counts.taken, left: counts.left, inactive: counts.inactive, groups: counts.groups })}
        </p>
      )}
      <Tabs
        label={t('directory.takenOver')}
        tabs={[
          { word: t('directory.people'), here: !isGroups, to: { to, search: {} } },
          { word: t('directory.groups'), here: isGroups, to: { to, search: { tab: 'groups' } } },
        ]}
      />
      {isGroups ? (
        <GroupsTable source={source} search={search} onSearch={onSearch} onOpen={setOpen} />
      ) : (
        <PeopleTable source={source} search={search} onSearch={onSearch} />
      )}
      {open && <MappingDialog key={open.id} group={open} onClose={() => setOpen(null)} />}
    </section>
  );
};
