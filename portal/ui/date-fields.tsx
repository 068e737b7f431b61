import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/nb';
import { DateInput } from '@mantine/dates';
import type { TFunction } from 'i18next';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { atWallClock, otherZone, typedMoment, wallClock } from '../app/dates.ts';
import { useZone } from '../app/who.ts';

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

/** As `typedMoment` reads it back. */
const typed = (at: string): string => `${at.slice(0, 10).split('-').toReversed().join('.')} ${at.slice(11, 16)}`;

/**
 * Until when, or from when, something holds, typed or picked: DD.MM.YYYY HH:mm. By the company's clock, as it is said everywhere else, with
 * its zone named where the browser's shows another time. The value is ISO 8601.
 */
export const MomentField = ({ value, onChange, ...field }: Field & { value: string; onChange: (at: string) => void }) => {
  const { t, i18n } = useTranslation();
  const zone = useZone();
  const name = otherZone(value, zone);
  const shown = `${wallClock(value, zone).slice(0, 16)}:00`;
  const picked = useRef(false);
  return (
    <DateInput
      {...common(field)}
      {...(name === null ? {} : { description: t('common.companyClock', { zone: name }) })}
      value={shown}
      // A day picked below the field says nothing of the hour.
      getDayProps={() => ({ onClick: () => (picked.current = true) })}
      onChange={(said) => {
        const at = picked.current && said !== null ? `${said.slice(0, 10)} ${shown.slice(11)}` : said;
        picked.current = false;
        // Said again by the field, a time that comes twice as the clocks go back stays the one that it was.
        if (at !== null && at !== shown) onChange(atWallClock(at, zone));
      }}
      // not what the field makes of it, which takes it for a time of the browser's: the clocks here may leave that one out
      valueFormat={() => typed(shown)}
      dateParser={typedMoment}
      withTime
      {...calendar(t, i18n.language)}
    />
  );
};
