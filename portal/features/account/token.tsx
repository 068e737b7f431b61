import { Button, CopyButton } from '@mantine/core';
import { IconCopy, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { span } from '../../app/dates.ts';
import { usePortal } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useToken } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import styles from './account.module.css';

/** The signed-in person's token, decoded and pretty-printed with an indent of 2. */
export const Token = () => {
  const { t } = useTranslation();
  const { session } = usePortal();
  const data = useToken();
  const info = useQuery({ queryKey: ['userinfo', data.iat ?? 0], queryFn: () => session.userinfo(), retry: false });
  const left = (data.exp ?? 0) * 1000 - useNow();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await session.refresh();
      toast.ok(t('account.token.refreshed'));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageHeader
        title={t('account.token.title')}
        intro={t('account.token.intro')}
        actions={
          <>
            <Button leftSection={<IconRefresh size={18} />} loading={busy} onClick={() => void refresh()}>
              {t('account.token.refresh')}
            </Button>
            <CopyButton value={session.token() ?? ''}>
              {({ copy, copied }) => (
                <Button variant="default" leftSection={<IconCopy size={18} />} onClick={copy}>
                  <output>{t(copied ? 'account.token.copied' : 'account.token.copy')}</output>
                </Button>
              )}
            </CopyButton>
          </>
        }
      />
      {failure !== null && <ProblemNote error={failure} onRetry={() => void refresh()} />}
      <div className={styles.stack}>
        <Panel
          title={t('account.token.decoded')}
          aside={<span role="timer">{left > 0 ? `${t('account.token.left')}: ${span(left)}` : t('account.token.expired')}</span>}
          flush
        >
          <pre className={styles.json}>{JSON.stringify(data, null, 2)}</pre>
        </Panel>
        <Panel title={t('account.token.userinfo')} flush>
          <Waiting of={info} lines={4} height={24} />
          {info.data && <pre className={styles.json}>{JSON.stringify(info.data, null, 2)}</pre>}
        </Panel>
      </div>
    </>
  );
};
