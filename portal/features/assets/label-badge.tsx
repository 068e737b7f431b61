import { IconArchive, IconCircleCheck, IconClockPause, IconTool, type Icon } from '@tabler/icons-react';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import type { StatusLabel } from './api.ts';

const LOOK: Record<StatusLabel['type'], readonly [Icon, Tone]> = {
  deployable: [IconCircleCheck, 'ok'],
  pending: [IconClockPause, 'warn'],
  undeployable: [IconTool, 'bad'],
  archived: [IconArchive, 'plain'],
};

/** A company's own word; what it means by icon and colour. */
export const LabelBadge = ({ label }: { label: StatusLabel }) => {
  const [icon, tone] = LOOK[label.type];
  return <StateBadge icon={icon} tone={tone} word={label.name} />;
};
