import { mayWriteAssets } from '@hatchway/domain/access.ts';
import { Button, Group } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { compact } from '../../ui/table/search.ts';
import { MakeButton } from '../../ui/make-button.tsx';
import { AssetDialog } from './asset-dialog.tsx';
import { AssetsTable } from './assets-table.tsx';
import type { AssetsSearch } from './search.ts';

const ImportDialog = lazy(() => import('./import-dialog.tsx'));

export const Assets = ({ search }: { search: AssetsSearch }) => {
  const { t } = useTranslation();
  const writes = mayWriteAssets(useFacts());
  const navigate = useNavigate();
  const [open, setOpen] = useState<'make' | 'import' | null>(null);
  const close = (): void => setOpen(null);
  const actions = writes && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconFileImport size={18} aria-hidden />} onClick={() => setOpen('import')}>
        {t('assets.import.button')}
      </Button>
      <MakeButton word={t('assets.make')} onClick={() => setOpen('make')} />
    </Group>
  );
  return (
    <>
      <PageHeader title={t('assets.title')} intro={t('assets.intro')} actions={actions} />
      <AssetsTable
        search={search}
        onSearch={(change) => void navigate({ to: '/manage/assets', search: compact({ ...search, ...change }), replace: true })}
        onClear={() => void navigate({ to: '/manage/assets', search: {}, replace: true })}
        writes={writes}
        create={actions}
      />
      {open === 'make' && <AssetDialog onClose={close} />}
      {open === 'import' && (
        <Suspense>
          <ImportDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
};
