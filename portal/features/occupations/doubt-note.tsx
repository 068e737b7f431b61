import { mayBuild } from '@hatchway/domain/access.ts';
import { Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { whyWords } from '../builder/why.ts';
import styles from './manage.module.css';

/** Beside its stage, in every list: what lies there is not known for certain, whatever the stage says. */
export const DoubtBadge = ({ one }: { one: Pick<Occupation, 'inDoubt'> }) => {
  const { t } = useTranslation();
  return one.inDoubt ? <StateBadge icon={IconAlertTriangle} tone="warn" word={t('terms.lockerState.inDoubt')} /> : null;
};

/** A doubt that somebody sees, and its reason: whoever may settle it is led there, everybody else is told whom to ask. */
export const DoubtNote = ({ lockerId }: { lockerId: string }) => {
  const { t } = useTranslation();
  const facts = useFacts();
  const locker = useQuery(lockerQuery(useApi(), lockerId)).data;
  if (locker?.inDoubt !== true) return null;
  return (
    <p className={styles.label}>
      {`${t(`terms.content.${locker.content}`)}, ${whyWords(t, locker)}.`}{' '}
      {locker.door === 'opened' && `${t('occupations.manage.closeFirst')} `}
      {mayBuild([lockerId], facts) ? (
        <Anchor renderRoot={(props) => <Link {...props} to="/manage/lockers" search={{ view: 'doubt' }} />}>
          {t('occupations.manage.doubtCheck', { tag: locker.doorTag })}
        </Anchor>
      ) : (
        t('occupations.manage.doubtAsk', { tag: locker.doorTag })
      )}
    </p>
  );
};
