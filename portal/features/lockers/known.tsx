import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fullTime } from '../../app/dates.ts';
import type { Cabinet, Locker } from '../../app/queries.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts } from '../../ui/panel.tsx';
import { whyWords } from '../builder/why.ts';
import { connectionWord, contentWord, doorWord, knownSince, outcomeWord, unheardSince } from './door-view.ts';
import styles from './lock-control.module.css';

type SensedProps = { locker: Locker; cabinet: Cabinet | undefined; word: string; at: string | null };
/** What is sensed and since when; of a cabinet that is silent nothing is. */
export const Sensed = ({ locker, cabinet, word, at }: SensedProps) => {
  const { t } = useTranslation();
  const heard = unheardSince(locker, cabinet);
  return heard === null ? (
    <>
      {word} · <Moment at={at} />
    </>
  ) : (
    <>
      {t('lockers.facts.unknownSince')} <Moment at={heard} />
    </>
  );
};

/** Commanded, sensed, believed: three kinds of fact, never mixed, each with its time. */
export const Known = ({ locker, cabinet }: { locker: Locker; cabinet: Cabinet | undefined }) => {
  const { t } = useTranslation();
  const { lastCommand, outOfService, occupation } = locker;
  return (
    <Facts
      rows={[
        [t('lockers.facts.where'), `${cabinet?.name ?? ''} · ${locker.size}`],
        [t('lockers.facts.connection'), connectionWord(locker, t)],
        [
          t('lockers.facts.door'),
          <Sensed key="door" locker={locker} cabinet={cabinet} word={doorWord(locker, t)} at={knownSince(locker.door, locker.doorSince)} />,
        ],
        ...(cabinet?.hasSensors === true
          ? [
              [
                t('lockers.facts.occupancy'),
                <Sensed
                  key="occupancy"
                  locker={locker}
                  cabinet={cabinet}
                  word={t(`terms.content.${locker.occupancy}`)}
                  at={knownSince(locker.occupancy, locker.occupancySince)}
                />,
              ] as const,
            ]
          : []),
        [
          t('lockers.facts.content'),
          <>
            {contentWord(locker, t)}
            {locker.contentWhy !== null && ` (${whyWords(t, locker)})`} · <Moment at={locker.contentSince} />
          </>,
        ],
        [
          t('lockers.facts.last'),
          lastCommand === null ? (
            t('lockers.facts.none')
          ) : (
            <>
              {t(`lockers.op.${lastCommand.op}`)}: {outcomeWord(lastCommand, t)}
              <br />
              <span className={styles.quiet}>{t('lockers.facts.byAt', { name: lastCommand.by.name, time: fullTime(lastCommand.at) })}</span>
            </>
          ),
        ],
        ...(outOfService === null
          ? []
          : [
              [
                t('lockers.facts.out'),
                <>
                  {outOfService.reason} · <Moment at={outOfService.since} />
                </>,
              ] as const,
            ]),
        [
          t('lockers.facts.use'),
          occupation === null ? (
            t('lockers.facts.notUsed')
          ) : (
            <Anchor key="use" renderRoot={(props) => <Link to="/services/manageoccupation" search={{ id: occupation.id }} {...props} />}>
              {t('lockers.seeOccupation')}
            </Anchor>
          ),
        ],
        [
          t('lockers.facts.history'),
          <Anchor key="history" renderRoot={(props) => <Link to="/history" search={{ door: locker.doorTag }} {...props} />}>
            {t('lockers.seeHistory')}
          </Anchor>,
        ],
      ]}
    />
  );
};
