import { IconBan, IconCalendarOff, IconCircleCheck, IconClock, IconLinkOff, IconUserOff, type Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import type { AccessLink } from './api.ts';

const LOOK: Record<AccessLink['state'], [Icon, Tone]> = {
  waiting: [IconClock, 'accent'],
  active: [IconCircleCheck, 'ok'],
  'used-up': [IconLinkOff, 'plain'],
  expired: [IconCalendarOff, 'plain'],
  revoked: [IconBan, 'bad'],
};

/** It would open, but that whose right it opens in has ended: for every door of it, or for some. */
export const stoppedOf = ({ state, doors }: Pick<AccessLink, 'state' | 'doors'>): 'all' | 'some' | null => {
  if (state !== 'active' && state !== 'waiting') return null;
  return doors.every((door) => door.opens) ? null : doors.some((door) => door.opens) ? 'some' : 'all';
};

export const LinkState = ({ link }: { link: Pick<AccessLink, 'state' | 'doors'> }) => {
  const { t } = useTranslation();
  const stopped = stoppedOf(link);
  if (stopped !== null) return <StateBadge icon={IconUserOff} tone="warn" word={t(`links.stopped.${stopped}`)} />;
  const [icon, tone] = LOOK[link.state];
  return <StateBadge icon={icon} tone={tone} word={t(`links.states.${link.state}`)} />;
};

/** Doors by name; of many only the first. */
export const doorsText = (doors: AccessLink['doors'], most = 4): string => {
  const tags = doors.slice(0, most).map((door) => door.doorTag);
  return doors.length > most ? `${tags.join(', ')} +${doors.length - most}` : tags.join(', ') || '–';
};
