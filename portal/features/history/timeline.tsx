import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf, span, timeOfDay } from '../../app/dates.ts';
import type { HistoryEvent } from '../../app/queries.ts';
import type { Message } from '../occupations/api.ts';
import { useZone } from '../../app/who.ts';
import { fateOf, lookOfMessage, messageWord, wayOf } from '../occupations/message-list.tsx';
import { Actor } from './actor.tsx';
import { saidOf, wordOf } from './said.ts';
import styles from './timeline.module.css';
import { lookOf } from './words.ts';

type Entry = HistoryEvent | { id: string; at: string; message: Message };

/** Messages stand where they were written, between what led to them and what came of them; of one moment, what happened goes first, in the order of its ids. */
export const merged = (events: readonly HistoryEvent[], messages: readonly Message[]): Entry[] =>
  [...events, ...messages.map((message) => ({ id: message.id, at: message.createdAt, message }))].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || Number('message' in a) - Number('message' in b) || (a.id < b.id ? -1 : 1),
  );

/** What became of it, and since when. */
const Fate = ({ message }: { message: Message }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.who}>
      <span>
        {wayOf(message, t)} · {fateOf(message, t)} {timeOfDay(message.updatedAt)}
      </span>
      {message.error !== null && message.error !== NOT_NEEDED && <span>{message.error}</span>}
    </div>
  );
};

/** A pause shorter than this is not worth its line. */
const WORTH_SAYING = 5_000;

/** Events, the first of them first, under their days; the time between two of them stands between them. */
export const Timeline = ({ events, messages = [] }: { events: readonly HistoryEvent[]; messages?: readonly Message[] }) => {
  const { t } = useTranslation();
  const zone = useZone();
  const entries = useMemo(() => merged(events, messages), [events, messages]);
  return (
    <ol className={styles.timeline}>
      {entries.map((event, index) => {
        const before = entries[index - 1];
        const day = dayOf(event.at);
        const pause = before ? Math.abs(Date.parse(event.at) - Date.parse(before.at)) : 0;
        const [EventIcon, tone] = 'message' in event ? lookOfMessage(event.message) : lookOf(event.type);
        return (
          <li key={event.id} className={styles.event} data-tone={tone}>
            {(!before || dayOf(before.at) !== day) && <div className={styles.day}>{day}</div>}
            {pause >= WORTH_SAYING && <div className={styles.pause}>{span(pause)}</div>}
            <div className={styles.line}>
              <span className={styles.dot}>
                <EventIcon size={16} stroke={2} aria-hidden />
              </span>
              <div className={styles.what}>
                <strong>{'message' in event ? messageWord(event.message, t) : wordOf(event, t, zone)}</strong>
                {'message' in event ? (
                  <Fate message={event.message} />
                ) : (
                  <div className={styles.who}>
                    <Actor actor={event.actor} />
                    {event.doorTag && <span>{t('history.atDoor', { tag: event.doorTag })}</span>}
                  </div>
                )}
                {!('message' in event) && saidOf(event, t, zone) !== '' && <p className={styles.said}>{saidOf(event, t, zone)}</p>}
                {!('message' in event) && Object.keys(event.data).length > 0 && (
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
