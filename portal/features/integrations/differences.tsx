import type { ToolDifference } from '@hatchway/contract/asset-tool.ts';
import type { ToolKind } from '@hatchway/domain/integration.ts';
import { Anchor, Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useToolWords } from '../../app/tool-words.ts';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { differencesQuery, type Integration, useIntegrationCommands } from './api.ts';
import styles from './integrations.module.css';

type Props = { kind: ToolKind; row: Integration };

/** What differs between the tool and us, each with what is to be done about it: nothing is put right by itself. */
export const Differences = ({ kind, row }: Props) => {
  const { t } = useTranslation();
  const list = useQuery(differencesQuery(useApi(), kind, row));
  const rows = list.data ?? [];
  return (
    <section aria-label={t('integrations.differs.title')} className={styles.differing}>
      <h3 className={styles.how}>{t('integrations.differs.title')}</h3>
      <Waiting of={list} lines={2} height={24} />
      {list.isSuccess && rows.length === 0 && <p className={styles.text}>{t('integrations.differs.none')}</p>}
      <ul className={styles.differences}>
        {rows.map((one) => (
          <li key={`${one.what} ${one.asset.id}`}>
            <One kind={kind} row={row} one={one} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const One = ({ kind, row, one }: Props & { one: ToolDifference }) => {
  const { t } = useTranslation();
  const { faultOf } = useToolWords();
  const commands = useIntegrationCommands(kind);
  const word = useMutation({ mutationFn: (act: 'again' | 'settled') => commands.settle(row, one.telling?.id ?? '', act) });
  const { telling } = one;
  return (
    <>
      <strong>
        <Anchor renderRoot={(props) => <Link {...props} to="/manage/assets/$id" params={{ id: one.asset.id }} />}>{one.asset.name}</Anchor>
      </strong>
      <p className={styles.text}>
        {[
          telling === null ? '' : t(`integrations.differs.telling.${telling.kind}`),
          t(`integrations.differs.is.${one.what}`, { tag: one.doorTag ?? '' }),
          telling?.error ? faultOf(telling.error) : '',
        ]
          .filter(Boolean)
          .join(' ')}
        {telling !== null && (
          <>
            {' '}
            <Moment at={telling.createdAt} />
          </>
        )}
      </p>
      <p className={styles.text}>{t(`integrations.differs.do.${one.what}`)}</p>
      <div className={styles.actions}>
        {one.url !== null && (
          <Anchor href={one.url} target="_blank" rel="noopener noreferrer">
            {t('assets.tool.open')}
          </Anchor>
        )}
        {one.occupationId !== null && (
          <Anchor renderRoot={(props) => <Link {...props} to="/services/manageoccupation" search={{ id: one.occupationId ?? '' }} />}>
            {t('integrations.differs.use')}
          </Anchor>
        )}
        {one.otherAssetId !== null && (
          <Anchor renderRoot={(props) => <Link {...props} to="/manage/assets/$id" params={{ id: one.otherAssetId ?? '' }} />}>
            {t('integrations.differs.other')}
          </Anchor>
        )}
        {one.what === 'refused' && (
          <>
            <Button size="compact-sm" loading={word.isPending && word.variables === 'again'} onClick={() => word.mutate('again')}>
              {t('integrations.differs.again')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={word.isPending && word.variables === 'settled'}
              onClick={() => word.mutate('settled')}
            >
              {t('integrations.differs.settled')}
            </Button>
          </>
        )}
      </div>
      {word.isError && <ProblemNote error={word.error} />}
    </>
  );
};
