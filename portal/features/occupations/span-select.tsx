import { NativeSelect } from '@mantine/core';
import { HOUR } from '@hatchway/domain/deadlines.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { deadline } from '../../app/dates.ts';
import { useZone } from '../../app/who.ts';
import { useNow } from '../../ui/moment.tsx';
import { useClosedDay } from './closed-day.ts';

/** Hours that staff choose from beside what the policy says. */
const CHOICES = [2, 4, 8, 24, 48, 72, 168, 336, 672, 2184];
const DAY = 24;

export const spanWords = (hours: number, t: TFunction): string =>
  hours % DAY === 0 ? t('occupations.span.days', { count: hours / DAY }) : t('occupations.span.hours', { count: hours });

/** `policyHours`: null where they depend on whoever is not named yet. */
type Props = {
  label: string;
  value: number | null;
  policyHours: number | null;
  lockerId: string | null;
  text: 'due' | 'until';
  onChange: (hours: number | null) => void;
};

/** How long: as the policy says, or otherwise; and the day on which that ends. */
export const SpanSelect = ({ label, value, policyHours, lockerId, text, onChange }: Props) => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const zone = useZone();
  const closedDay = useClosedDay(lockerId);
  const hours = value ?? policyHours;
  const end = hours === null ? null : new Date(now + hours * HOUR).toISOString();
  return (
    <NativeSelect
      label={label}
      description={end === null ? undefined : `${t(`occupations.span.${text}`, { time: deadline(end, zone) })} ${closedDay(end)}`}
      size="md"
      value={value === null ? '' : String(value)}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
      data={[
        {
          value: '',
          label: policyHours === null ? t('occupations.span.open') : t('occupations.span.policy', { span: spanWords(policyHours, t) }),
        },
        ...CHOICES.map((choice) => ({ value: String(choice), label: spanWords(choice, t) })),
      ]}
    />
  );
};
