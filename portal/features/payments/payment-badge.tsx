import type { PaymentState } from '@hatchway/domain/terms.ts';
import { type Icon, IconAlertTriangle, IconArrowBackUp, IconBan, IconCash, IconHourglass, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';

const LOOK: Record<PaymentState, [Icon, Tone]> = {
  initiated: [IconHourglass, 'plain'],
  reserved: [IconLock, 'accent'],
  captured: [IconCash, 'ok'],
  cancelled: [IconBan, 'plain'],
  refunded: [IconArrowBackUp, 'warn'],
};

/** Its state; and where its money waits for somebody's word, that too. */
export const PaymentBadge = ({ state, wantsEnd = false }: { state: PaymentState; wantsEnd?: boolean }) => {
  const { t } = useTranslation();
  if (wantsEnd) return <StateBadge icon={IconAlertTriangle} tone="warn" word={t('payments.wantsEnd')} />;
  const [icon, tone] = LOOK[state];
  return <StateBadge icon={icon} tone={tone} word={t(`terms.payment.${state}`)} />;
};
