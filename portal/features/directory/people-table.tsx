import { Button } from '@mantine/core';
import { IconCircleCheck, IconUserOff, IconUserQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { type Person, useDirectoryCommands } from './api.ts';
import styles from './directory.module.css';
import { type DirectorySearch, peopleQuestion, SHOWN } from './search.ts';

type Props = { source: 'scim' | 'entra'; search: DirectorySearch; onSearch: (change: Partial<DirectorySearch>) => void };

/** Everybody whom the directory told of; who is no member, or not as it says, with the reason. */
export const PeopleTable = ({ source, search, onSearch }: Props) => {
  const { t } = useTranslation();
  const pages = usePages('GET /directory/people', peopleQuestion(source, search));
  const columns = useColumns();
  return (
    <DataTable<Person>
      label={t('directory.people')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      defaultSort="name"
      searchable={t('directory.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      rowStamp={(row) => `${row.updatedAt} ${String(row.taken)} ${row.problem ?? ''}`}
      filters={
        <FilterSelect
          label={t('directory.state')}
          any={t('directory.all')}
          value={search.show}
          options={SHOWN.map((value) => ({ value, label: t(`directory.shown.${value}`) }))}
          onChange={(show) => onSearch({ show })}
        />
      }
      filtered={Boolean(search.find ?? search.show)}
      onClear={() => onSearch({ find: undefined, show: undefined })}
      empty={{ title: t('directory.nobody'), text: t('directory.nobodyText') }}
    />
  );
};

const stateCell = (row: Person) => <State person={row} />;
const actionCell = (row: Person) => <TakeOver person={row} />;

const useColumns = () => {
  const { t } = useTranslation();
  return useMemo(
    (): Column<Person>[] => [
      {
        id: 'name',
        header: t('directory.name'),
        sort: 'name',
        cell: (row) => (
          <span className={styles.who}>
            <strong>{row.name}</strong>
            <span>{row.userName}</span>
          </span>
        ),
        text: (row) => row.name,
      },
      { id: 'email', header: t('directory.email'), tucked: true, text: (row) => row.email },
      { id: 'tlf', header: t('directory.tlf'), width: 150, tucked: true, text: (row) => row.tlf },
      { id: 'state', header: t('directory.state'), cell: stateCell, text: (row) => row.problem ?? String(row.taken) },
      { id: 'since', header: t('directory.since'), sort: 'createdAt', width: 130, tucked: true, ...timeOf('createdAt') },
      { id: 'actions', header: t('common.actions'), width: 150, cell: actionCell },
    ],
    [t],
  );
};

const State = ({ person }: { person: Person }) => {
  const { t } = useTranslation();
  const badge = person.taken ? (
    <StateBadge icon={IconCircleCheck} tone={person.problem === null ? 'ok' : 'warn'} word={t('directory.taken')} />
  ) : person.active ? (
    <StateBadge icon={IconUserQuestion} tone="warn" word={t('directory.left')} />
  ) : (
    <StateBadge icon={IconUserOff} word={t('directory.inactive')} />
  );
  return (
    <span className={styles.state}>
      {badge}
      {person.problem !== null && <span>{t(`directory.problem.${person.problem}`)}</span>}
      {person.leftOut.map((what) => (
        <span key={what}>{t(`directory.leftOut.${what}`)}</span>
      ))}
    </span>
  );
};

const TakeOver = ({ person }: { person: Person }) => {
  const { t } = useTranslation();
  const commands = useDirectoryCommands();
  const again = useMutation({
    mutationFn: () => commands.takeOver(person),
    onSuccess: (after) => {
      if (after.taken && after.problem === null) toast.ok(t('directory.nowTaken', { name: after.name }));
      else toast.warn(t('directory.stillLeft', { name: after.name }));
    },
    onError: toast.fail,
  });
  if (!person.active || (person.taken && person.problem === null)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={again.isPending}
      onClick={() => again.mutate()}
      aria-label={t('directory.takeOverThis', { name: person.name })}
    >
      {t('directory.takeOver')}
    </Button>
  );
};
