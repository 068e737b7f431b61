import { Button, FileButton, Group } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './admin.module.css';
import { type Company, useLogoCommands } from './api.ts';

/** Shown as it is kept; a new one takes the old one's place. */
export const Logo = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const commands = useLogoCommands(company);
  const put = useMutation({ mutationFn: commands.put, onSuccess: () => toast.ok(t('admin.logoSaved')) });
  const remove = useMutation({ mutationFn: commands.remove, onSuccess: () => toast.ok(t('admin.logoRemoved')) });
  return (
    <Panel title={t('admin.logo')}>
      <div className={styles.form}>
        <Picture company={company} />
        <p className={styles.intro}>{t('admin.logoText')}</p>
        {put.isError && <ProblemNote error={put.error} />}
        {remove.isError && <ProblemNote error={remove.error} />}
        <Group gap="xs">
          <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && put.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={put.isPending}>
                {t(company.hasLogo ? 'admin.logoReplace' : 'admin.logoChoose')}
              </Button>
            )}
          </FileButton>
          {company.hasLogo && (
            <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('admin.logoRemove')}
            </Button>
          )}
        </Group>
      </div>
    </Panel>
  );
};

const Picture = ({ company }: { company: Company }) => {
  const { t } = useTranslation();
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['logo', company.id, { version: company.version }],
    queryFn: ({ signal }) => api('GET /companies/{tenant}/logo', { query: { size: '480' }, signal }),
    enabled: company.hasLogo,
  });
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!data || !image.current) return undefined;
    const address = URL.createObjectURL(data);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [data]);
  return (
    <div className={styles.logo}>
      {company.hasLogo && data ? (
        <img ref={image} alt={t('admin.logoOf', { name: company.name })} />
      ) : (
        <IconPhoto size={32} stroke={1.4} aria-hidden />
      )}
    </div>
  );
};
