import { isKeyFault } from '@hatchway/domain/integration.ts';
import { Button } from '@mantine/core';
import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { span } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, dataOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { Moment, useNow } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Integration, integrationsQuery, useIntegrationCommands } from './api.ts';
import { Disconnect } from './disconnect.tsx';
import styles from './integrations.module.css';
import { faultWords } from './key-fault.ts';
import { SetupForm } from './setup-form.tsx';
import { IntegrationBadge } from './state.tsx';

const PORTAL = 'portal.vippsmobilepay.com';

/** The payment provider: what it gives, whether it takes the keys, what is heard of it, and the way in and out. */
export const Vipps = () => {
  const { t } = useTranslation();
  const query = useQuery(integrationsQuery(useApi(), 'vipps'));
  const { test: tried } = useIntegrationCommands('vipps');
  const row = query.data?.[0] ?? null;
  const test = useMutation({
    mutationFn: tried,
    onSuccess: ({ state }) => {
      if (state === 'active') toast.ok(t('integrations.works'));
      // What is wrong stands above the form, which may be out of sight.
      else toast.warn(t('integrations.failing'));
    },
  });
  return (
    <Panel title={t('integrations.vipps.title')} aside={query.data && <IntegrationBadge state={row?.state ?? 'not-connected'} />}>
      <Waiting of={query} lines={4} height={28} />
      {query.data && (
        <>
          {row ? <Standing row={row} test={test} /> : <Offer />}
          <SetupForm
            kind="vipps"
            row={row}
            action={t('integrations.saveAndTest')}
            Problem={UnderWay}
            onSaved={(saved) => test.mutate(saved)}
          />
        </>
      )}
    </Panel>
  );
};

/** Where the keys are found, in the provider's own portal. */
const Where = () => {
  const { t } = useTranslation();
  return (
    <p className={styles.where}>
      {t('integrations.vipps.where')}{' '}
      <a href={`https://${PORTAL}`} target="_blank" rel="noreferrer">
        {PORTAL}
      </a>
    </p>
  );
};

/** What a company without it would have, and how it comes by it. */
const Offer = () => {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.text}>{t('integrations.vipps.gives')}</p>
      <ul className={styles.gives}>
        {(['pay', 'counter', 'doors', 'back'] as const).map((what) => (
          <li key={what}>{t(`integrations.vipps.give.${what}`)}</li>
        ))}
      </ul>
      <h3 className={styles.how}>{t('integrations.vipps.how')}</h3>
      <p className={styles.text}>{t('integrations.vipps.order')}</p>
      <Where />
    </>
  );
};

type Test = UseMutationResult<Integration, Error, Integration>;

/** How it stands with the keys that are kept, and what can be done with them. */
const Standing = ({ row, test }: { row: Integration; test: Test }) => {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const { lastError, state } = row;
  const since = state === 'active' ? row.lastSyncAt : row.updatedAt;
  const word = state === 'active' || state === 'failing' ? state : 'saved';
  return (
    <>
      {lastError !== null && (
        <div role="alert" className={styles.fault}>
          <strong>{t('integrations.failing')}</strong>
          <p>{faultWords(lastError, t)}</p>
          {!isKeyFault(lastError) && <p>{t('integrations.againBySelf')}</p>}
        </div>
      )}
      {state === 'unverified' && <p className={styles.notYet}>{t('integrations.untested')}</p>}
      <Facts
        rows={[
          [t(`integrations.since.${word}`), <Moment key="since" at={since} />],
          [t('integrations.environment'), t(row.settings['testMode'] === true ? 'integrations.test' : 'integrations.production')],
          [t('integrations.webhook'), t(row.hasWebhook ? 'integrations.hasWebhook' : 'integrations.noWebhook')],
          [
            t('integrations.heard'),
            row.heardAt ? t('integrations.ago', { span: span(now - Date.parse(row.heardAt)) }) : t('integrations.neverHeard'),
          ],
        ]}
      />
      {test.isError && <ProblemNote error={test.error} onRetry={() => test.mutate(row)} />}
      <div className={styles.actions}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(row)}>
          {t('integrations.tryIt')}
        </Button>
        <Disconnect kind="vipps" row={row} text={t('integrations.vipps.disconnectText')} Problem={UnderWay} />
      </div>
      <Where />
    </>
  );
};

/** The keys that were typed, which were tried before they were kept. */
const NotTaken = ({ said }: { said: string }) => {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.fault}>
      <strong>{t(isKeyFault(said) ? 'integrations.notTaken' : 'integrations.notAsked')}</strong>
      <p>{faultWords(said, t)}</p>
      <p>{t('integrations.oldStay')}</p>
    </div>
  );
};

/** What nobody could settle any more with other keys or none: each leads to its own page. */
const UnderWay = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  if (codeOf(error) === 'keys-not-taken') return <NotTaken said={String(dataOf(error)['error'])} />;
  if (codeOf(error) !== 'in-use-elsewhere') return <ProblemNote error={error} />;
  const payments = (dataOf(error)['payments'] ?? []) as { id: string; reference: string }[];
  return (
    <div role="alert" className={styles.fault}>
      <strong>{t('integrations.underWay')}</strong>
      <p>{t('integrations.underWayText')}</p>
      <ul className={styles.gives}>
        {payments.map(({ id, reference }) => (
          <li key={id}>
            <Link to="/manage/payments" search={{ payment: id }}>
              {reference}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};
