import { mayWriteAssets } from '@hatchway/domain/access.ts';
import { Button, Group } from '@mantine/core';
import { IconPrinter, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { useFacts } from '../../app/who.ts';
import { DetailLayout } from '../../ui/detail-layout.tsx';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Asset as Row, assetQuery, useAssetCommands } from './api.ts';
import { AssetForm } from './asset-form.tsx';
import { AssetNow } from './asset-now.tsx';
import { AssetHistory, AssetLoans } from './asset-past.tsx';
import { ToolPanel } from './tool-panel.tsx';
import { AssetPicture } from './asset-picture.tsx';

const LabelsDialog = lazy(() => import('./labels-dialog.tsx'));

export const Asset = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const found = useQuery(assetQuery(useApi(), id));
  const code = codeOf(found.error);
  if (code === 'not-found' || code === 'malformed')
    return (
      <Notice title={t('assets.gone')} text={t('assets.goneText')}>
        <Button renderRoot={(props) => <Link {...props} to="/manage/assets" search={{}} />}>{t('assets.toList')}</Button>
      </Notice>
    );
  if (!found.data)
    return (
      <>
        <PageHeader title={t('terms.asset')} />
        {found.isError ? <ProblemNote error={found.error} onRetry={() => void found.refetch()} /> : <Bones lines={8} height={24} />}
      </>
    );
  return <Whole key={id} asset={found.data} />;
};

const Whole = ({ asset }: { asset: Row }) => {
  const { t } = useTranslation();
  const isOurs = asset.tool === null;
  const writes = mayWriteAssets(useFacts()) && isOurs;
  const [open, setOpen] = useState<'print' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <PageHeader
        title={asset.name}
        intro={asset.identifiers.map(({ value }) => value).join(' · ')}
        actions={
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
              disabled={asset.identifiers.length === 0}
              onClick={() => setOpen('print')}
            >
              {t('assets.print')}
            </Button>
            {writes && (
              <Button
                variant="default"
                color="red"
                leftSection={<IconTrash size={18} aria-hidden />}
                aria-label={t('assets.deleteThis', { name: asset.name })}
                onClick={() => setOpen('delete')}
              >
                {t('assets.delete')}
              </Button>
            )}
          </Group>
        }
      />
      <DetailLayout
        aside={
          <>
            <AssetPicture asset={asset} writes={writes} />
            <AssetLoans asset={asset} />
            <AssetHistory asset={asset} />
          </>
        }
      >
        {asset.tool !== null && <ToolPanel tool={asset.tool} />}
        <AssetNow asset={asset} />
        <AssetForm asset={asset} writes={writes} />
      </DetailLayout>
      {open === 'print' && (
        <Suspense>
          <LabelsDialog asset={asset} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteDialog asset={asset} onClose={close} />}
    </>
  );
};

const DeleteDialog = ({ asset, onClose }: { asset: Row; onClose: () => void }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const commands = useAssetCommands();
  return (
    <EndDialog
      title={t('assets.deleteTitle', { name: asset.name })}
      action={t('assets.delete')}
      act={() => commands.remove(asset._id)}
      done={t('assets.deleted', { name: asset.name })}
      // What was typed goes with it: nobody is asked about it.
      onDone={() => navigate({ to: '/manage/assets', search: {}, ignoreBlocker: true })}
      onClose={onClose}
    >
      {t('assets.deleteText')}
    </EndDialog>
  );
};
