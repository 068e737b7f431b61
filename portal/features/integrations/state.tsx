import type { IntegrationState } from '@hatchway/domain/integration.ts';
import { type Icon, IconAlertTriangle, IconCircleCheck, IconHelpHexagon, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';

export type Shown = IntegrationState | 'not-connected';
const LOOK: Record<Shown, [Icon, Tone]> = {
  'not-connected': [IconPlugConnectedX, 'plain'],
  // Nobody has seen it work: not known is drawn as not known.
  unverified: [IconHelpHexagon, 'unknown'],
  active: [IconCircleCheck, 'ok'],
  failing: [IconAlertTriangle, 'bad'],
  disabled: [IconPlugConnectedX, 'plain'],
};

export const IntegrationBadge = ({ state }: { state: Shown }) => {
  const { t } = useTranslation();
  const [icon, tone] = LOOK[state];
  return <StateBadge icon={icon} tone={tone} word={t(`integrations.state.${state}`)} />;
};
