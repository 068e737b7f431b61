import type { PaymentState } from '@hatchway/domain/terms.ts';
import { type Icon, IconArrowBackUp, IconBan, IconCash, IconHourglass, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';

const LOOK: Record<PaymentState, [Icon, Tone]> = {
  initiated: [IconHourglass, 'plain'],
  reserved: [IconLock, 'accent'],
  captured: [IconCash, 'ok'],
  cancelled: [IconBan, 'plain'],
  refunded: [IconArrowBackUp, 'warn'],
};

export const PaymentBadge = ({ state }: { state: PaymentState }) => {
  const { t } = useTranslation();
  const [icon, tone] = LOOK[state];
  return <StateBadge icon={icon} tone={tone} word={t(`terms.payment.${state}`)} />;
};
