import type { AssetRequest } from '@hatchway/contract/asset-tool.ts';
import { MINUTE } from '@hatchway/domain/deadlines.ts';
import { Alert, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconHandGrab } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOrTime, deadline, shortTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import { Bones } from '../../ui/panel.tsx';
import { handedOutQuery, requestsQuery } from './api.ts';
import { emptyDraft, type Draft } from './draft.ts';
import styles from './service.module.css';

/** What is known of the tool is as old as this before it is said how old. */
const FRESH = 15 * MINUTE;

/** What picking a request fills in; picked once more, it is let go with what it brought. */
export const askedFor = ({ number, what, asset, person }: AssetRequest): Partial<Draft> => ({
  request: number,
  asset,
  text: (asset?.name ?? what).slice(0, 200),
  receiver: { name: person.name, tlf: person.tlf ?? '', email: person.email ?? '' },
  samePerson: false,
});
const NOTHING = (({ request, asset, text, receiver }) => ({ request, asset, text, receiver }))(emptyDraft('request', ''));

/** Picked from the asset tool's open requests, or passed by: whoever stands there without one goes on all the same. */
export const RequestStep = ({ draft, onChange }: { draft: Draft; onChange: (patch: Partial<Draft>) => void }) => {
  const { t } = useTranslation();
  const zone = useZone();
  const api = useApi();
  const titleId = useId();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 160);
  const list = useQuery({ ...requestsQuery(api, asked), refetchInterval: MINUTE / 2 });
  const out = useQuery({ ...handedOutQuery(api, draft.request), enabled: draft.request !== '' });
  const requests = list.data ?? [];
  const there = out.data ?? [];
  const oldest = requests.map(({ asOf }) => asOf).toSorted()[0];
  return (
    <div className={styles.narrow}>
      <TextInput
        label={t('occupations.request.label')}
        description={t('occupations.request.hint')}
        placeholder={t('occupations.request.placeholder')}
        size="md"
        maxLength={100}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-step-focus
      />
      {there.length > 0 && (
        <Alert color="yellow" variant="light" title={t('occupations.request.taken')}>
          {t('occupations.request.takenText', { tags: there.map(({ doorTag }) => doorTag).join(', ') })}
        </Alert>
      )}
      <h3 className={styles.listTitle} id={titleId}>
        {t('occupations.request.list')}
      </h3>
      <ul aria-labelledby={titleId} className={styles.list} hidden={requests.length === 0}>
        {requests.map((one) => {
          const isPicked = one.number === draft.request;
          return (
            <li key={one.id}>
              <button
                type="button"
                className={styles.option}
                aria-pressed={isPicked}
                onClick={() => onChange(isPicked ? NOTHING : askedFor(one))}
              >
                {isPicked ? <IconCircleCheck size={20} aria-hidden /> : <IconHandGrab size={20} aria-hidden />}
                <span className={styles.optionName}>
                  {one.asset?.name ?? one.what} · {one.person.name}
                </span>
                <span className={styles.optionMore}>
                  {[
                    one.number,
                    one.asset === null ? '' : one.what,
                    one.until === null ? '' : t('occupations.request.until', { time: dayOrTime(one.until, zone) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {list.isPending && <Bones lines={4} height={24} />}
      {list.isError && <p className={styles.quiet}>{t('occupations.request.failed')}</p>}
      {list.isSuccess && requests.length === 0 && <p className={styles.quiet}>{t('occupations.request.none')}</p>}
      {oldest !== undefined && list.dataUpdatedAt - Date.parse(oldest) > FRESH && (
        <p className={styles.quiet}>{t('occupations.request.asOf', { time: deadline(oldest, zone, shortTime) })}</p>
      )}
    </div>
  );
};
