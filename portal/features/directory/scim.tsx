import { Button, CopyButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { span } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EndDialog } from '../../ui/end-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { compact } from '../../ui/table/search.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { IntegrationScreen } from '../integrations/integration-screen.tsx';
import integration from '../integrations/integrations.module.css';
import { type Scim as ScimRow, scimQuery, useDirectoryCommands } from './api.ts';
import styles from './directory.module.css';
import type { DirectorySearch } from './search.ts';
import { TakenOver } from './taken-over.tsx';

/** A directory that calls us: its way in, when it was last heard, and what became of what it said. */
export const Scim = ({ search }: { search: DirectorySearch }) => {
  const navigate = useNavigate();
  return (
    <IntegrationScreen
      kind="scim"
      below={
        <TakenOver
          source="scim"
          to="/integration/scim"
          search={search}
          onSearch={(change) => void navigate({ to: '/integration/scim', search: compact({ ...search, ...change }), replace: true })}
        />
      }
    >
      <WayIn />
    </IntegrationScreen>
  );
};

const WayIn = () => {
  const { t } = useTranslation();
  const query = useQuery(scimQuery(useApi()));
  return (
    <Panel title={t('directory.scim.title')}>
      <Waiting of={query} lines={4} height={28} />
      {query.data && <Standing scim={query.data} />}
    </Panel>
  );
};

type Asked = 'replace' | 'withdraw' | 'letGo' | null;

const Standing = ({ scim }: { scim: ScimRow }) => {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const commands = useDirectoryCommands();
  const [asked, setAsked] = useState<Asked>(null);
  // The secret must not outlive its dialog.
  const make = useMutation({ mutationFn: commands.makeBearer, gcTime: 0, onSuccess: () => setAsked(null) });
  const isOpen = scim.prefix !== null;
  return (
    <>
      {scim.ended !== null && (
        <p role="alert" className={integration.notYet}>
          {t(`directory.scim.ended.${scim.ended}`)}
        </p>
      )}
      <p className={integration.text}>{t('directory.scim.how')}</p>
      <Facts
        rows={[
          [t('directory.scim.address'), <Address key="address" address={scim.address} />],
          [t('directory.scim.bearer'), isOpen ? <code key="prefix">{scim.prefix}…</code> : t('directory.scim.none')],
          ...(isOpen && scim.madeAt !== null
            ? ([
                [
                  t('directory.scim.made'),
                  t('directory.scim.madeBy', { name: scim.madeBy ?? '–', span: span(now - Date.parse(scim.madeAt)) }),
                ],
              ] as const)
            : []),
          [t('directory.scim.heard'), scim.lastUsedAt ? <Moment key="heard" at={scim.lastUsedAt} /> : t('directory.scim.never')],
        ]}
      />
      {make.isError && asked === null && <ProblemNote error={make.error} onRetry={() => make.mutate()} />}
      <div className={integration.actions}>
        <Button
          variant={isOpen ? 'default' : 'filled'}
          loading={make.isPending}
          onClick={() => (isOpen ? setAsked('replace') : make.mutate())}
        >
          {t(isOpen ? 'directory.scim.replace' : 'directory.scim.make')}
        </Button>
        {isOpen && (
          <Button variant="default" onClick={() => setAsked('withdraw')}>
            {t('directory.scim.withdraw')}
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={() => setAsked('letGo')}>
          {t('directory.scim.letGo')}
        </Button>
      </div>
      {asked === 'replace' && (
        <ConfirmDialog
          opened
          destructive
          title={t('directory.scim.replace')}
          action={t('directory.scim.replace')}
          busy={make.isPending}
          onConfirm={() => make.mutate()}
          onClose={() => setAsked(null)}
        >
          <p>{t('directory.scim.replaceText')}</p>
          {make.isError && <ProblemNote error={make.error} />}
        </ConfirmDialog>
      )}
      {asked === 'withdraw' && <End what="withdraw" run={commands.withdrawBearer} onClose={() => setAsked(null)} />}
      {asked === 'letGo' && <End what="letGo" run={commands.letGo} onClose={() => setAsked(null)} />}
      {make.data !== undefined && (
        <FormDialog title={t('directory.scim.bearer')} dirty={false} saving={false} once onClose={() => make.reset()}>
          <p className={integration.text}>{t('directory.scim.once')}</p>
          <SecretOnce label={t('directory.scim.bearer')} secret={make.data} />
          <div className={integration.actions}>
            <Button variant="default" onClick={() => make.reset()}>
              {t('directory.scim.kept')}
            </Button>
          </div>
        </FormDialog>
      )}
    </>
  );
};

const Address = ({ address }: { address: string }) => {
  const { t } = useTranslation();
  return (
    <span className={styles.address}>
      <code>{address}</code>
      <CopyButton value={address}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {copied ? t('common.copied') : t('common.copy')}
          </Button>
        )}
      </CopyButton>
    </span>
  );
};

/** What ends something is asked about. */
const End = ({ what, run, onClose }: { what: 'withdraw' | 'letGo'; run: () => Promise<void>; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <EndDialog
      title={t(`directory.scim.${what}`)}
      action={t(`directory.scim.${what}`)}
      act={run}
      done={t(`directory.scim.${what}Done`)}
      onClose={onClose}
    >
      <p>{t(`directory.scim.${what}Text`)}</p>
    </EndDialog>
  );
};
