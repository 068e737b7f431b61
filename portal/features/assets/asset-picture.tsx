import { Button } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Asset, useAssetCommands } from './api.ts';
import { Picture } from './picture.tsx';

/** Its picture: dropped, chosen or taken with the phone, and saved at once. */
export const AssetPicture = ({ asset, writes }: { asset: Asset; writes: boolean }) => {
  const { t } = useTranslation();
  const commands = useAssetCommands();
  const [asking, setAsking] = useState(false);
  const upload = useMutation({
    mutationFn: (file: File) => commands.setPicture(asset._id, file),
    onSuccess: () => toast.ok(t('assets.pictureSaved')),
  });
  if (!writes && !asset.hasImage) return null;
  return (
    <Panel
      title={t('assets.picture')}
      aside={
        writes &&
        asset.hasImage && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('assets.removePicture')}
          </Button>
        )
      }
    >
      {asset.hasImage && <Picture asset={asset} alt={t('assets.pictureOf', { name: asset.name })} />}
      {writes && (
        <FileDrop
          title={t(asset.hasImage ? 'assets.dropNew' : 'assets.drop')}
          text={t('assets.dropText')}
          accept="image/png,image/jpeg,image/webp"
          icon={<IconPhotoUp size={24} stroke={1.6} aria-hidden />}
          busy={upload.isPending}
          onFile={(file) => upload.mutate(file)}
        />
      )}
      {upload.isError && <ProblemNote error={upload.error} />}
      {asking && (
        <EndDialog
          title={t('assets.removePictureTitle', { name: asset.name })}
          action={t('assets.removePicture')}
          act={() => commands.removePicture(asset._id)}
          done={t('assets.pictureRemoved')}
          onClose={() => setAsking(false)}
        >
          {t('assets.removePictureText')}
        </EndDialog>
      )}
    </Panel>
  );
};
