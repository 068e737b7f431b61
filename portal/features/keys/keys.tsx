import { mayAdminister, mayHaveKeys } from '@hatchway/domain/access.ts';
import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { compact, type ListSearch } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { ForOthers } from '../pages/not-allowed.tsx';
import { useKeyCommands, type ApiKey } from './api.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';

type Open = { make: true } | { revoke: ApiKey[] } | null;

export const Keys = ({ search }: { search: ListSearch }) => {
  const { t } = useTranslation();
  const facts = useFacts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const [revoke] = useState(() => (keys: ApiKey[]) => setOpen({ revoke: keys }));
  const close = (): void => setOpen(null);
  if (!mayHaveKeys(facts)) {
    // Two things are asked for, and it is told which one is missing: an administrator has no licence to give, nobody else becomes one here.
    const admin = mayAdminister('companies', facts);
    return (
      <ForOthers title={t(admin ? 'keys.noLicense' : 'keys.adminOnly')} text={t(admin ? 'keys.noLicenseText' : 'keys.adminOnlyText')} />
    );
  }
  const create = <MakeButton word={t('keys.make')} onClick={() => setOpen({ make: true })} />;
  return (
    <>
      <PageHeader title={t('keys.title')} intro={t('keys.intro')} actions={create}>
        <Anchor href="/v1/docs" target="_blank" rel="noopener">
          {t('keys.reference')} <IconExternalLink size={16} aria-hidden />
        </Anchor>
      </PageHeader>
      <KeysTable
        search={search}
        onSearch={(change) => void navigate({ to: '/admin/api', search: compact({ ...search, ...change }), replace: true })}
        onRevoke={revoke}
        create={create}
      />
      {open && 'make' in open && <KeyDialog onClose={close} />}
      {open && 'revoke' in open && <RevokeDialog keys={open.revoke} onClose={close} />}
    </>
  );
};

const RevokeDialog = ({ keys, onClose }: { keys: readonly ApiKey[]; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useKeyCommands();
  const name = keys[0]?.name ?? '';
  return (
    <EndDialog
      title={t('keys.revokeTitle', { count: keys.length, name })}
      action={t('keys.revoke')}
      act={async () => {
        for (const key of keys) await commands.revoke(key._id);
      }}
      done={t('keys.revoked', { count: keys.length, name })}
      onClose={onClose}
    >
      <p>{t('keys.revokeText')}</p>
      {keys.length > 1 && <p>{keys.map((key) => key.name).join(', ')}</p>}
    </EndDialog>
  );
};
