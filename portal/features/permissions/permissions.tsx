import { mayAdminister } from '@hatchway/domain/access.ts';
import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { compact } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import { groupsQuery, permissionsQuery, useWallTags, type Permission } from './api.ts';
import { Matrix } from './matrix.tsx';
import { PermissionDialog } from './permission-dialog.tsx';
import { PermissionsTable } from './permissions-table.tsx';
import { VIEWS, type PermissionsSearch } from './search.ts';
import { OfLocker, OfPerson } from './who-opens.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';
import styles from './permissions.module.css';

type Open = { make: true } | { change: Permission } | { withdraw: Permission[] } | null;

/** Who gets what where, and the two questions that follow: who opens this door, what does this person open. */
export const Permissions = ({ search }: { search: PermissionsSearch }) => {
  const { t } = useTranslation();
  const may = mayAdminister('permissions', useFacts());
  if (!may) return <ForOthers title={t('permissions.adminOnly')} text={t('permissions.adminOnlyText')} />;
  return <Screen search={search} />;
};

const Screen = ({ search }: { search: PermissionsSearch }) => {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const permissions = useQuery(permissionsQuery(api));
  const groups = useQuery(groupsQuery(api));
  const walls = useWallTags();
  const [open, setOpen] = useState<Open>(null);
  const [edit] = useState(() => (permission: Permission) => setOpen({ change: permission }));
  const [withdraw] = useState(() => (rows: Permission[]) => setOpen({ withdraw: rows }));
  const close = (): void => setOpen(null);
  const view = search.view ?? 'matrix';
  const set = (change: PermissionsSearch): void =>
    void navigate({ to: '/admin/permissions', search: compact({ ...search, ...change }), replace: true });
  const phone = useMediaQuery('(max-width: 48em)');
  const views = VIEWS.map((one) => ({ value: one, label: t(`permissions.views.${one}`) }));
  const show = (next: string): void => set({ view: VIEWS.find((one) => one === next) });
  const create = <MakeButton word={t('permissions.make')} onClick={() => setOpen({ make: true })} />;
  const failed = permissions.error ?? groups.error ?? walls.error;
  const retry = (): void => {
    [permissions, groups].filter((one) => one.isError).forEach((one) => void one.refetch());
    walls.retry();
  };
  return (
    <>
      <PageHeader title={t('permissions.title')} intro={t('permissions.intro')} actions={create} />
      <div className={styles.views}>
        {phone ? (
          <NativeSelect
            aria-label={t('permissions.view')}
            value={view}
            onChange={(event) => show(event.currentTarget.value)}
            data={views}
          />
        ) : (
          <SegmentedControl aria-label={t('permissions.view')} value={view} onChange={show} data={views} />
        )}
      </div>
      {failed && <ProblemNote error={failed} onRetry={retry} />}
      {view === 'matrix' &&
        (permissions.isPending || groups.isPending ? (
          <Bones lines={6} height={32} />
        ) : permissions.data?.length === 0 ? (
          <Notice
            level={2}
            title={t('permissions.empty')}
            text={groups.data?.length === 0 ? t('permissions.groupFirst') : t('permissions.emptyText')}
          >
            {groups.data?.length === 0 ? (
              <Button component={Link} to="/iam/groups">
                {t('permissions.toGroups')}
              </Button>
            ) : (
              create
            )}
          </Notice>
        ) : (
          <Matrix permissions={permissions.data ?? []} groups={groups.data ?? []} walls={walls.walls} onEdit={edit} />
        ))}
      {view === 'list' && (
        <PermissionsTable
          search={search}
          onSearch={set}
          groups={groups.data ?? []}
          walls={walls.walls}
          onEdit={edit}
          onWithdraw={withdraw}
          create={create}
        />
      )}
      {view === 'locker' && <OfLocker walls={walls} locker={search.locker} onLocker={(locker) => set({ locker })} />}
      {view === 'person' && <OfPerson total={walls.tagOf.size} person={search.person} onPerson={(person) => set({ person })} />}
      {open && 'make' in open && <PermissionDialog permission={null} onWithdraw={(one) => withdraw([one])} onClose={close} />}
      {open && 'change' in open && (
        <PermissionDialog key={open.change.id} permission={open.change} onWithdraw={(one) => withdraw([one])} onClose={close} />
      )}
      {open && 'withdraw' in open && <WithdrawDialog permissions={open.withdraw} onClose={close} />}
    </>
  );
};
