import { ADDRESS_CHANGED } from '@hatchway/domain/receiver.ts';
import { isActive, type Stage } from '@hatchway/domain/terms.ts';
import { IconMailX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '../../ui/state-badge.tsx';

/** Whoever it is for does not know of it, whatever its stage says; of what has ended nobody need know any more. */
export const ContactBadge = ({ one: { stage, contactError } }: { one: { stage: number; contactError: readonly string[] } }) => {
  const { t } = useTranslation();
  if (contactError.length === 0 || !isActive(stage as Stage)) return null;
  return (
    <StateBadge
      icon={IconMailX}
      tone="bad"
      word={t(`occupations.manage.${contactError.includes(ADDRESS_CHANGED) ? 'newAddress' : 'notReached'}`)}
    />
  );
};
