import { isToolKind, type IntegrationKind } from '@hatchway/domain/integration.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Integration, integrationsQuery } from './api.ts';
import { Disconnect } from './disconnect.tsx';
import styles from './integrations.module.css';
import { ShopActs, useFaultWords } from './shop-acts.tsx';
import { SetupForm } from './setup-form.tsx';
import { IntegrationBadge } from './state.tsx';
import { ToolActs } from './tool-acts.tsx';

/** The payment provider and the directory have screens of their own (vipps.tsx, entra.tsx). */
type Kind = Exclude<IntegrationKind, 'vipps' | 'entra'>;

/** One outside system: whether it is connected, what it is set up with, and the way back out. */
export const OneIntegration = ({ kind, isDenied = false }: { kind: Kind; /** A shop's owner has just said no. */ isDenied?: boolean }) => {
  const { t } = useTranslation();
  const [unsaved, setUnsaved] = useState(false);
  const query = useQuery(integrationsQuery(useApi()));
  const row = query.data?.find((one) => one.kind === kind) ?? null;
  const title = t(`integrations.${kind}.title`);
  return (
    <Panel title={title} aside={query.data && <IntegrationBadge state={row?.state ?? 'not-connected'} />}>
      <p className={styles.text}>{t(`integrations.${kind}.what`)}</p>
      {(row === null || row.state === 'unverified') && <p className={styles.notYet}>{t(`integrations.${kind}.notYet`)}</p>}
      <Waiting of={query} lines={4} height={28} />
      {query.data && (
        <>
          {row && <SetUp kind={kind} row={row} unsaved={unsaved} isDenied={isDenied} />}
          <SetupForm kind={kind} row={row} onDirty={setUnsaved} />
        </>
      )}
    </Panel>
  );
};

/** What is known of one that was saved, and what can be done with it. */
const SetUp = ({ kind, row, unsaved, isDenied }: { kind: Kind; row: Integration; unsaved: boolean; isDenied: boolean }) => {
  const { t } = useTranslation();
  const faultWords = useFaultWords();
  const since = (state: Integration['state']): string =>
    state === 'active' || state === 'failing' ? t(`integrations.since.${state}`) : t('integrations.savedAt');
  const isTool = isToolKind(kind);
  return (
    <>
      <Facts
        rows={[
          [since(row.state), <Moment key="at" at={row.updatedAt} />],
          [t('integrations.lastSync'), row.lastSyncAt ? <Moment key="sync" at={row.lastSyncAt} /> : t('integrations.never')],
          ...(kind === 'woo'
            ? ([[t('integrations.shop.heard'), row.heardAt ? <Moment key="heard" at={row.heardAt} /> : t('integrations.never')]] as const)
            : []),
          ...(row.lastError ? ([[t('integrations.lastError'), faultWords(row.lastError, isTool)]] as const) : []),
        ]}
      />
      {kind === 'woo' && <ShopActs row={row} unsaved={unsaved} isDenied={isDenied} />}
      {isTool && <ToolActs kind={kind} row={row} unsaved={unsaved} />}
      <div className={styles.actions}>
        <Disconnect kind={kind} row={row} text={t(isTool ? 'integrations.tool.disconnectText' : 'integrations.disconnectText')} />
      </div>
    </>
  );
};
