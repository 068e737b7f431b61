import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/nb';
import { DateInput } from '@mantine/dates';
import { type KeyboardEvent, useRef, useState } from 'react';
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

/**
 * The calendar below: its arrows are named, and no day is fainter or redder than can be read. A click or the arrow down opens it, focus
 * alone does not: it would cover what stands below a field that a dialog begins at, or that Tab only passes.
 */
const useCalendar = (onPick?: () => void) => {
  const { t, i18n } = useTranslation();
  const [opened, setOpened] = useState(false);
  return {
    locale: i18n.language,
    firstDayOfWeek: 1 as const,
    previousLabel: t('common.earlier'),
    nextLabel: t('common.later'),
    hideOutsideDates: true,
    weekendDays: [],
    onClick: () => setOpened(true),
    onBlur: () => setOpened(false),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown') setOpened(true);
      if (key === 'Escape') setOpened(false);
    },
    // an Escape that shuts the calendar leaves the dialog around it
    'data-mantine-stop-propagation': opened,
    getDayProps: () => ({
      onClick: () => {
        onPick?.();
        setOpened(false);
      },
    }),
    // beside its field, so that it belongs to a part of the page, and to the dialog that the field stands in
    popoverProps: { withinPortal: false, opened },
  };
};

/** A day, typed or picked, written as the portal writes days: DD.MM.YYYY. The value is YYYY-MM-DD. */
export const DayField = ({
  value,
  onChange,
  ...field
}: Field & { value: string | undefined; onChange: (day: string | undefined) => void }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  return (
    <DateInput
      {...common(field)}
      value={value ?? null}
      onChange={(day) => onChange(day?.slice(0, 10))}
      valueFormat="DD.MM.YYYY"
      dateParser={(text) => typedMoment(text)?.slice(0, 10) ?? null}
      {...calendar}
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
  const { t } = useTranslation();
  const zone = useZone();
  const name = otherZone(value, zone);
  const shown = `${wallClock(value, zone).slice(0, 16)}:00`;
  const picked = useRef(false);
  // A day picked below the field says nothing of the hour.
  const calendar = useCalendar(() => (picked.current = true));
  return (
    <DateInput
      {...common(field)}
      {...(name === null ? {} : { description: t('common.companyClock', { zone: name }) })}
      value={shown}
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
      {...calendar}
    />
  );
};
