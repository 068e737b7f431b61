import type { OpenSpan } from '@hatchway/domain/hours.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './hours-field.module.css';

export type Hours = OpenSpan[];
const DAYS = [1, 2, 3, 4, 5, 6, 7];
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
export const isWhole = (hours: Hours): boolean => hours.every(({ from, to }) => CLOCK.test(from) && CLOCK.test(to));

type Props = { title: string; text: string; hours: Hours; onChange: (hours: Hours) => void };
/** When something is open: a span a day. Of a day that has more of them, each is changed by itself. */
export const HoursField = ({ title, text, hours, onChange }: Props) => {
  const { t, i18n } = useTranslation();
  const day = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  const named = (one: number) => day.format(new Date(Date.UTC(2024, 0, one)));
  const mark = (one: number, open: boolean) =>
    onChange(
      [...hours.filter((other) => other.day !== one), ...(open ? [{ day: one, from: '08:00', to: '20:00' }] : [])].toSorted(
        (a, b) => a.day - b.day,
      ),
    );
  const spans = [...hours.entries()];
  return (
    <fieldset className={styles.hours}>
      <legend>{title}</legend>
      <p className={styles.text}>{text}</p>
      {DAYS.map((one) => {
        const mine = spans.filter(([, span]) => span.day === one);
        return (
          <div key={one} className={styles.day}>
            <Checkbox label={named(one)} checked={mine.length > 0} onChange={(event) => mark(one, event.currentTarget.checked)} />
            {mine.flatMap(([at, span]) =>
              (['from', 'to'] as const).map((side) => (
                <TextInput
                  key={`${at} ${side}`}
                  type="time"
                  aria-label={t(side === 'from' ? 'common.hoursFrom' : 'common.hoursTo', { day: named(one) })}
                  value={span[side]}
                  onChange={(event) => onChange(hours.with(at, { ...span, [side]: event.currentTarget.value }))}
                />
              )),
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
