import { mayAdminister } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts, useMe } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { compact } from '../../ui/table/search.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import { type Invitation, type Member, useMemberCommands } from './api.ts';
import { InvitationsTable, nameOf } from './invitations-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LeftBehind, useLeftBehind } from './left-behind.tsx';
import { MembersTable } from './members-table.tsx';
import { RolesDialog } from './roles-dialog.tsx';
import type { MembersSearch } from './search.ts';
import { SeveralRoles } from './several-roles.tsx';

type Several = { done?: (() => void) | undefined };
type Open =
  | { invite: true }
  | { roles: Member }
  | ({ rolesOf: Member[] } & Several)
  | ({ remove: Member[] } & Several)
  | ({ resend: Invitation[] } & Several)
  | ({ withdraw: Invitation[] } & Several)
  | null;

/** Who works here, what they may do, and who has been asked to come. */
export const Members = ({ search }: { search: MembersSearch }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = mayAdminister('memberships', useFacts());
  const me = useMe().data?.account.id;
  const [open, setOpen] = useState<Open>(null);
  const [edit] = useState(() => (member: Member) => setOpen({ roles: member }));
  const [roles] = useState(() => (members: Member[], done: () => void) => setOpen({ rolesOf: members, done }));
  const [remove] = useState(() => (members: Member[], done?: () => void) => setOpen({ remove: members, done }));
  const [resend] = useState(() => (rows: Invitation[], done?: () => void) => setOpen({ resend: rows, done }));
  const [withdraw] = useState(() => (rows: Invitation[], done?: () => void) => setOpen({ withdraw: rows, done }));
  const close = (): void => setOpen(null);
  if (!may) return <ForOthers title={t('admin.adminOnly')} text={t('members.adminOnlyText')} />;
  const onSearch = (change: Partial<MembersSearch>): void =>
    void navigate({ to: '/iam/users', search: compact({ ...search, ...change }), replace: true });
  const invite = (
    <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setOpen({ invite: true })}>
      {t('members.invite')}
    </Button>
  );
  const invitations = search.tab === 'invitations';
  return (
    <>
      <PageHeader title={t('members.title')} intro={t('members.intro')} actions={invite} />
      <Tabs
        label={t('members.title')}
        tabs={[
          { word: t('members.members'), here: !invitations, to: { to: '/iam/users', search: {} } },
          { word: t('members.invitations'), here: invitations, to: { to: '/iam/users', search: { tab: 'invitations' } } },
        ]}
      />
      {invitations ? (
        <InvitationsTable search={search} onSearch={onSearch} onResend={resend} onWithdraw={withdraw} empty={invite} />
      ) : (
        <MembersTable search={search} onSearch={onSearch} me={me} onEdit={edit} onRoles={roles} onRemove={remove} empty={invite} />
      )}
      {open && 'invite' in open && <InviteDialog onClose={close} />}
      {open && 'roles' in open && (
        <RolesDialog
          key={open.roles.id}
          member={open.roles}
          mine={open.roles.accountId === me}
          onRemove={(member) => remove([member])}
          onClose={close}
        />
      )}
      {open && 'rolesOf' in open && (
        <SeveralRoles
          members={open.rolesOf}
          me={me}
          onClose={(done) => {
            if (done) open.done?.();
            close();
          }}
        />
      )}
      {open && !('invite' in open) && !('roles' in open) && !('rolesOf' in open) && <Asked open={open} me={me} onClose={close} />}
    </>
  );
};

type AskedProps = {
  open: Exclude<Open, null | { invite: true } | { roles: Member } | { rolesOf: Member[] }>;
  me: string | undefined;
  onClose: () => void;
};
/** What is asked before it is done to one or several. */
const Asked = ({ open, me, onClose }: AskedProps) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const closed = (done: boolean): void => {
    if (done) open.done?.();
    onClose();
  };
  if ('remove' in open) return <Removal members={open.remove} me={me} onClose={closed} />;
  if ('resend' in open) {
    const who = open.resend.length === 1 && open.resend[0] ? nameOf(open.resend[0]) : '';
    return (
      <SeveralDialog
        rows={open.resend}
        nameOf={nameOf}
        title={who ? t('members.resendTitle', { who }) : t('members.resendSeveral', { count: open.resend.length })}
        action={t('members.resend')}
        done={t('members.resent', { count: open.resend.length })}
        act={(row) => commands.resend(row.id)}
        onClose={closed}
      >
        <p>{t('members.resendText')}</p>
      </SeveralDialog>
    );
  }
  const who = open.withdraw.length === 1 && open.withdraw[0] ? nameOf(open.withdraw[0]) : '';
  return (
    <SeveralDialog
      rows={open.withdraw}
      nameOf={nameOf}
      destructive
      title={who ? t('members.withdrawTitle', { who }) : t('members.withdrawSeveral', { count: open.withdraw.length })}
      action={t('members.withdraw')}
      done={t('members.withdrawn', { count: open.withdraw.length })}
      act={(row) => commands.withdraw(row.id)}
      onClose={closed}
    >
      <p>{t('members.withdrawText')}</p>
    </SeveralDialog>
  );
};

const Removal = ({ members, me, onClose }: { members: Member[]; me: string | undefined; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const open = useLeftBehind(members);
  const one = members.length === 1 ? (members[0]?.name ?? '') : '';
  const removed = one ? t('members.removed', { name: one }) : t('members.removedSeveral', { count: members.length });
  const left = open.data?.length ?? 0;
  return (
    <SeveralDialog
      rows={members}
      nameOf={(row) => row.name}
      destructive
      title={one ? t('members.removeTitle', { name: one }) : t('members.removeSeveral', { count: members.length })}
      action={t('members.remove')}
      done={left > 0 ? `${removed}. ${t('members.leftOpen', { count: left })}` : removed}
      act={(row) => commands.remove(row.id)}
      ready={!open.isPending}
      onClose={onClose}
    >
      <p>{t('members.removeText')}</p>
      <LeftBehind of={open} />
      {members.some((row) => row.accountId === me) && (
        <p>
          <strong>{t('members.removeOwn')}</strong>
        </p>
      )}
    </SeveralDialog>
  );
};
