import type { Storefront } from '@hatchway/contract/shop.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './storefront.module.css';

type Hours = Storefront['hours'];
const DAYS = [1, 2, 3, 4, 5, 6, 7];
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** When the shop sells, a span a day. None at all: at any time. */
export const ShopHours = ({ hours, busy, onSave }: { hours: Hours; busy: boolean; onSave: (hours: Hours) => void }) => {
  const { t, i18n } = useTranslation();
  const [spans, setSpans] = useState<Hours>(hours);
  const day = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  const named = (one: number) => day.format(new Date(Date.UTC(2024, 0, one)));
  const of = (one: number) => spans.find((span) => span.day === one);
  const set = (one: number, span: Hours[number] | null) =>
    setSpans([...spans.filter((other) => other.day !== one), ...(span === null ? [] : [span])].toSorted((a, b) => a.day - b.day));
  const wrong = spans.some(({ from, to }) => !CLOCK.test(from) || !CLOCK.test(to));
  const dirty = JSON.stringify(spans) !== JSON.stringify(hours);
  return (
    <fieldset className={styles.hours}>
      <legend>{t('storefront.hours')}</legend>
      <p className={styles.text}>{t(spans.length === 0 ? 'storefront.hoursAlways' : 'storefront.hoursText')}</p>
      {DAYS.map((one) => {
        const span = of(one);
        return (
          <div key={one} className={styles.hoursDay}>
            <Checkbox
              label={named(one)}
              checked={span !== undefined}
              onChange={(event) => set(one, event.currentTarget.checked ? { day: one, from: '08:00', to: '20:00' } : null)}
            />
            {span && (
              <>
                <TextInput
                  type="time"
                  aria-label={t('storefront.hoursFrom', { day: named(one) })}
                  value={span.from}
                  onChange={(event) => set(one, { ...span, from: event.currentTarget.value })}
                />
                <TextInput
                  type="time"
                  aria-label={t('storefront.hoursTo', { day: named(one) })}
                  value={span.to}
                  onChange={(event) => set(one, { ...span, to: event.currentTarget.value })}
                />
              </>
            )}
          </div>
        );
      })}
      {dirty && (
        <div className={styles.hoursSave}>
          <Button variant="default" loading={busy} disabled={wrong} onClick={() => onSave(spans)}>
            {t('storefront.hoursSave')}
          </Button>
          <Button variant="subtle" onClick={() => setSpans(hours)}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </fieldset>
  );
};
