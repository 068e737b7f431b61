import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/nb';
import { DateInput } from '@mantine/dates';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { typedMoment } from '../app/dates.ts';

type Field = {
  label: string;
  /** The label is spoken, not shown: where the field stands in a row of filters. */
  quiet?: boolean;
  error?: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  size?: 'sm' | 'md';
  className?: string | undefined;
};

const named = ({ label, quiet = false }: Field) => (quiet ? { 'aria-label': label, placeholder: label } : { label });
const common = (field: Field) => ({
  ...named(field),
  error: field.error,
  errorProps: { role: 'alert' },
  size: field.size ?? 'sm',
  ...(field.className === undefined ? {} : { className: field.className }),
  ...(field.min === undefined ? {} : { minDate: field.min }),
  ...(field.max === undefined ? {} : { maxDate: field.max }),
});

/** The calendar below: its arrows are named, and no day is fainter or redder than can be read. */
const calendar = (t: TFunction, locale: string) => ({
  locale,
  firstDayOfWeek: 1 as const,
  previousLabel: t('common.earlier'),
  nextLabel: t('common.later'),
  hideOutsideDates: true,
  weekendDays: [],
  // beside its field, so that it belongs to a part of the page, and to the dialog that the field stands in
  popoverProps: { withinPortal: false },
});

/** A day, typed or picked, written as the portal writes days: DD.MM.YYYY. The value is YYYY-MM-DD. */
export const DayField = ({
  value,
  onChange,
  ...field
}: Field & { value: string | undefined; onChange: (day: string | undefined) => void }) => {
  const { t, i18n } = useTranslation();
  return (
    <DateInput
      {...common(field)}
      value={value ?? null}
      onChange={(day) => onChange(day?.slice(0, 10))}
      valueFormat="DD.MM.YYYY"
      dateParser={(text) => typedMoment(text)?.slice(0, 10) ?? null}
      {...calendar(t, i18n.language)}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear'), tabIndex: 0 }}
    />
  );
};

const two = (n: number): string => String(n).padStart(2, '0');
const local = (iso: string): string => {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:00`;
};

/** A moment in the browser's time zone, typed or picked: DD.MM.YYYY HH:mm. The value is ISO 8601. */
export const MomentField = ({ value, onChange, ...field }: Field & { value: string; onChange: (at: string) => void }) => {
  const { t, i18n } = useTranslation();
  return (
    <DateInput
      {...common(field)}
      value={local(value)}
      onChange={(at) => {
        const date = at === null ? null : new Date(at.replace(' ', 'T'));
        if (date !== null && !Number.isNaN(date.getTime())) onChange(date.toISOString());
      }}
      valueFormat="DD.MM.YYYY HH:mm"
      dateParser={typedMoment}
      withTime
      {...calendar(t, i18n.language)}
    />
  );
};
