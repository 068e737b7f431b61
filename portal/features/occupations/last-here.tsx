import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { occupationQuery } from '../../app/queries.ts';
import { UseBadge } from '../../ui/stage-badge.tsx';
import { DoubtBadge } from './doubt-note.tsx';
import styles from './service.module.css';

/** What was done here before has given way to the next one: one line says what it was and how it stands now, and leads to it. */
export const LastHere = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const one = useQuery(occupationQuery(useApi(), id)).data;
  if (one === undefined) return null;
  const what = [one.doorTag, one.assetName ?? one.assetText, one.receiver?.name].filter(Boolean).join(' · ');
  return (
    <div className={styles.resumed}>
      <p>
        {t('occupations.lastHere')}{' '}
        <Anchor renderRoot={(props) => <Link to="/services/manageoccupation" search={{ id }} {...props} />}>{what}</Anchor>{' '}
        <UseBadge one={one} /> <DoubtBadge one={one} />
      </p>
    </div>
  );
};
