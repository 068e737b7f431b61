import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { dayOf, span, timeOfDay } from '../../app/dates.ts';
import type { HistoryEvent } from '../../app/queries.ts';
import { Actor } from './actor.tsx';
import styles from './timeline.module.css';
import { isKnown, lookOf } from './words.ts';

/** What an event says beside its name: how many, in what condition, why. */
const saidOf = (data: HistoryEvent['data'], t: TFunction): string =>
  [
    typeof data['quantity'] === 'number' ? t('history.said.quantity', { count: data['quantity'] }) : '',
    typeof data['condition'] === 'string' ? t('history.said.condition', { text: data['condition'] }) : '',
    typeof data['reason'] === 'string' && data['reason'] !== ''
      ? t('history.said.reason', {
          text: data['reason'] === 'lost' || data['reason'] === 'returned-elsewhere' ? t(`history.said.${data['reason']}`) : data['reason'],
        })
      : '',
  ]
    .filter(Boolean)
    .join(' · ');

/** A pause shorter than this is not worth its line. */
const WORTH_SAYING = 5_000;

/** Events in the order given, under their days; the time between two of them stands between them. */
export const Timeline = ({ events }: { events: readonly HistoryEvent[] }) => {
  const { t } = useTranslation();
  return (
    <ol className={styles.timeline}>
      {events.map((event, index) => {
        const before = events[index - 1];
        const day = dayOf(event.at);
        const pause = before ? Math.abs(Date.parse(event.at) - Date.parse(before.at)) : 0;
        const [EventIcon, tone] = lookOf(event.type);
        return (
          <li key={event.id} className={styles.event} data-tone={tone}>
            {(!before || dayOf(before.at) !== day) && <div className={styles.day}>{day}</div>}
            {pause >= WORTH_SAYING && <div className={styles.pause}>{span(pause)}</div>}
            <div className={styles.line}>
              <span className={styles.dot}>
                <EventIcon size={16} stroke={2} aria-hidden />
              </span>
              <div className={styles.what}>
                <strong>{isKnown(event.type) ? t(`history.events.${event.type}`) : event.type}</strong>
                <div className={styles.who}>
                  <Actor actor={event.actor} />
                  {event.doorTag && <span>{t('history.atDoor', { tag: event.doorTag })}</span>}
                </div>
                {saidOf(event.data, t) !== '' && <p className={styles.said}>{saidOf(event.data, t)}</p>}
                {Object.keys(event.data).length > 0 && (
                  <details className={styles.raw}>
                    <summary>{t('history.raw')}</summary>
                    <pre>{JSON.stringify(event.data, null, 2)}</pre>
                  </details>
                )}
              </div>
              <time dateTime={event.at} className={styles.time}>
                {timeOfDay(event.at)}
              </time>
            </div>
          </li>
        );
      })}
    </ol>
  );
};
