import { Button } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { logoQuery } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { BytesImage } from '../../ui/bytes-image.tsx';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './admin.module.css';
import { type Company, useLogoCommands } from './api.ts';

/** Shown as it is kept; a new one takes the old one's place. */
export const Logo = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const commands = useLogoCommands(company);
  const put = useMutation({ mutationFn: commands.put, onSuccess: () => toast.ok(t('admin.logoSaved')) });
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      title={t('admin.logo')}
      aside={
        company.hasLogo && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('admin.logoRemove')}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        <Picture company={company} />
        <FileDrop
          title={t(company.hasLogo ? 'admin.logoReplace' : 'admin.logoChoose')}
          text={t('admin.logoText')}
          accept="image/png,image/jpeg,image/webp"
          busy={put.isPending}
          onFile={(file) => put.mutate(file)}
        />
        {put.isError && <ProblemNote error={put.error} />}
      </div>
      {asking && (
        <EndDialog
          title={t('admin.logoRemoveTitle', { name: company.name })}
          action={t('admin.logoRemove')}
          act={commands.remove}
          done={t('admin.logoRemoved')}
          onClose={() => setAsking(false)}
        >
          {t('admin.logoRemoveText')}
        </EndDialog>
      )}
    </Panel>
  );
};

const Picture = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const { data } = useQuery(logoQuery(useApi(), company));
  return (
    <div className={styles.logo}>
      {company.hasLogo && data ? (
        <BytesImage bytes={data} alt={t('admin.logoOf', { name: company.name })} />
      ) : (
        <IconPhoto size={32} stroke={1.4} aria-hidden />
      )}
    </div>
  );
};
