import type { HistoryEventType } from '@hatchway/domain/history.ts';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf, hourOf, localDay } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { statsUsageQuery } from '../../app/queries.ts';
import { useAccess, useZone } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Bar, Bars, Keys } from './bars.tsx';
import styles from './dashboard.module.css';
import { DAYS } from './first-look.ts';

const BY = ['day', 'hour'] as const;

/** Thirty days: each day, or the hours of the day taken together. */
export const Usage = () => {
  const { t } = useTranslation();
  const { history } = useAccess();
  const first = localDay(DAYS - 1, useZone());
  const [by, setBy] = useState<(typeof BY)[number]>('day');
  const usage = useQuery(statsUsageQuery(useApi(), DAYS, by));
  const words = [t('dashboard.filled'), t('dashboard.taken')] as const;
  const bars = (usage.data ?? []).map((one): Bar => {
    const values = [one.filled, one.taken] as const;
    if (one.day === null) {
      const hour = one.hour ?? 0;
      const name = hourOf(hour);
      const to = history ? ([inHour('occupation_filled', hour, first), inHour('occupation_claimed', hour, first)] as const) : undefined;
      return { key: name, mark: name.slice(0, 2), name, values, to };
    }
    const to = history ? ([onDay('occupation_filled', one.day), onDay('occupation_claimed', one.day)] as const) : undefined;
    return { key: one.day, mark: markOf(one.day), name: dayOf(`${one.day}T12:00:00`), values, to };
  });
  return (
    <Panel title={t('dashboard.usage')} aside={<Keys words={words} />}>
      <fieldset className={styles.choice} aria-label={t('dashboard.by')}>
        {BY.map((one) => (
          <button key={one} type="button" aria-pressed={one === by} onClick={() => setBy(one)}>
            {t(`dashboard.per.${one}`)}
          </button>
        ))}
      </fieldset>
      <Waiting of={usage} lines={5} height={24} />
      {usage.data && (
        <Bars
          bars={bars}
          words={words}
          caption={t(`dashboard.usageText.${by}`)}
          head={t(by === 'day' ? 'dashboard.day' : 'dashboard.hour')}
          least={4}
        />
      )}
    </Panel>
  );
};

/** What happened on that day, in the history: the figures are counted there. */
export const onDay = (kind: HistoryEventType, day: string, only: { currency?: string } = {}): LinkProps => ({
  to: '/history',
  search: { kind, from: day, to: day, ...only },
});
/** In that hour of all the days. */
const inHour = (kind: HistoryEventType, hour: number, from: string): LinkProps => ({
  to: '/history',
  search: { kind, from, hour },
});
export const markOf = (day: string): string => `${day.slice(8, 10)}.${day.slice(5, 7)}`;
