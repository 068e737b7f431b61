import { IconCpu, IconKey, IconServer, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HistoryEvent } from '../../app/queries.ts';
import styles from './history.module.css';

const ICONS = { person: IconUser, key: IconKey, device: IconCpu, system: IconServer } as const;

/** Who did it: a person, a key, a cabinet or Hatchway itself. */
export const Actor = ({ actor }: { actor: HistoryEvent['actor'] }) => {
  const { t } = useTranslation();
  const ActorIcon = ICONS[actor.kind];
  const kind = t(`terms.actor.${actor.kind}`);
  return (
    <span className={styles.actor} title={kind}>
      <ActorIcon size={16} stroke={1.6} aria-hidden />
      {actor.name ? <span className="hw-spoken">{kind}</span> : kind}
      {actor.name}
    </span>
  );
};
