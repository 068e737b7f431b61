import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange, IconDoor } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { obstacleTo, type LockerFacts } from '../lockers/door-view.ts';
import type { DoorChoice } from './choice.ts';
import { FAULT_ID } from './draft.ts';
import type { FillService } from './plan.ts';
import styles from './service.module.css';
import type { Flow } from './use-flow.ts';

/** A door in another cabinet than the one that one stands at: where it is belongs to its name. */
export const doorAt = (locker: LockerFacts | null, { walls }: DoorChoice, t: TFunction): string | undefined =>
  locker === null
    ? undefined
    : t('occupations.locker.at', { tag: locker.doorTag, cabinet: walls.cabinets.find(({ id }) => id === locker.cabinetId)?.name ?? '' });

/** What stands in the way, and what happened to the door meanwhile: on the page, announced, until it is dealt with. */
export const Faults = ({ flow, service }: { flow: Flow; service: FillService }) => {
  const { t } = useTranslation();
  const { fault, said, choice } = flow;
  // A door that is being registered is taken, but by whom is not known yet.
  const lost = flow.occupationId === null && !flow.pinned ? choice.lost : null;
  const lostTag = lost?.doorTag ?? said?.tag;
  // As it stands now: what was away for a while is not said to be away.
  const freeAgain = choice.walls.lockers.some((locker) => locker.id === lost?.id && obstacleTo(locker, service) === null);
  const lostBy = lost === null ? (said?.kind === 'lost' ? said.by : 'taken') : (obstacleTo(lost, service) ?? 'taken');
  // Somebody's thing lies behind it, and whoever passes may reach in.
  const agape =
    lost === null && said?.kind === 'full' && choice.walls.lockers.some((one) => one.doorTag === said.tag && one.door === 'opened');
  const next = flow.occupation?.doorTag ?? (choice.elsewhere ? doorAt(choice.locker, choice, t) : choice.locker?.doorTag);
  return (
    <>
      {fault !== null && (
        <Alert
          id={FAULT_ID}
          color="red"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t(`occupations.alert.${fault.alert}`)}
          role="alert"
        >
          {fault.alert === 'asset' && t('occupations.alert.assetText')}
          {fault.alert === 'order' && t('occupations.alert.orderText')}
          {fault.alert === 'receiver' && t('occupations.alert.receiverText')}
          {fault.alert === 'locker' && t(`lockers.fit.${choice.why}`)}
        </Alert>
      )}
      {lostTag !== undefined && (
        <Alert color="yellow" variant="light" icon={<IconArrowsExchange aria-hidden />} role="alert">
          {lost === null && said?.kind === 'full'
            ? t('occupations.locker.full', { tag: lostTag })
            : freeAgain
              ? t('occupations.locker.freeAgain', { tag: lostTag })
              : lostBy === 'taken'
                ? t('occupations.locker.taken', { tag: lostTag })
                : t('occupations.locker.gone', { tag: lostTag, why: t(`lockers.obstacle.${lostBy}`) })}{' '}
          {next === undefined
            ? t(choice.why === 'too-small' ? 'lockers.fit.too-small' : 'occupations.locker.noOther')
            : t('occupations.locker.instead', { next })}
          {agape && (
            <p className={styles.loose}>
              <IconDoor size={18} aria-hidden /> {t('occupations.locker.closeFirst', { tag: lostTag })}
            </p>
          )}
        </Alert>
      )}
      {flow.error !== null && <ProblemNote error={flow.error} />}
    </>
  );
};
