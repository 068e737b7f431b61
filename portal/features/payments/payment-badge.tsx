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

type Props = { state: PaymentState; wantsEnd?: boolean; captured?: number; refunded?: number };

/** Its state; where its money waits for somebody's word, that instead; and given its amounts, whether all of it went back. */
export const PaymentBadge = ({ state, wantsEnd = false, captured = 0, refunded = 0 }: Props) => {
  const { t } = useTranslation();
  if (wantsEnd) return <StateBadge icon={IconAlertTriangle} tone="warn" word={t('payments.wantsEnd')} />;
  const [icon, tone] = LOOK[state];
  return (
    <StateBadge
      icon={icon}
      tone={tone}
      word={state === 'refunded' && refunded < captured ? t('payments.partlyRefunded') : t(`terms.payment.${state}`)}
    />
  );
};
