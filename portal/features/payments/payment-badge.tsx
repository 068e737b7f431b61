import type { PaymentState } from '@hatchway/domain/terms.ts';
import { type Icon, IconAlertTriangle, IconArrowBackUp, IconBan, IconCash, IconHourglass, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from '../../ui/state-badge.tsx';
import { type Shown, standingWord } from './written.ts';

const LOOK: Record<PaymentState, [Icon, Tone]> = {
  initiated: [IconHourglass, 'plain'],
  reserved: [IconLock, 'accent'],
  captured: [IconCash, 'ok'],
  cancelled: [IconBan, 'plain'],
  refunded: [IconArrowBackUp, 'warn'],
};

/** What happened to one, at one of its events. */
export const StepBadge = ({ state }: { state: PaymentState }) => {
  const { t } = useTranslation();
  const [icon, tone] = LOOK[state];
  return <StateBadge icon={icon} tone={tone} word={t(`terms.payment.${state}`)} />;
};

export const PaymentBadge = ({ payment }: { payment: Shown }) => {
  const { t } = useTranslation();
  const word = standingWord(payment, t);
  const asked = payment.pending.at(-1);
  if (payment.wantsEnd) return <StateBadge icon={IconAlertTriangle} tone="warn" word={word} />;
  if (asked) return <StateBadge icon={IconHourglass} tone={asked.state === 'unknown' ? 'unknown' : 'plain'} word={word} />;
  const [icon, tone] = LOOK[payment.state];
  return <StateBadge icon={icon} tone={tone} word={word} />;
};
