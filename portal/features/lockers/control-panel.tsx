import { Alert, Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, tell } from '../../app/problem.ts';
import type { Cabinet, Locker } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { isOnePress } from '../../ui/press.ts';
import { ReasonDialog } from '../occupations/reason-dialog.tsx';
import { Sandbox } from '../sandbox/sandbox.tsx';
import { useDoorCommands } from './api.ts';
import { asksFirst, Behind, BehindOne } from './behind.tsx';
import { doorWord, outcomeWord } from './door-view.ts';
import { Known } from './known.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import styles from './lock-control.module.css';

type Props = { chosen: readonly Locker[]; cabinets: readonly Cabinet[]; onClear: () => void };
/** `ajar`: it says that the door stands open, which holds until it is shut. */
type Result = { tag: string; bad: boolean; text: string; ajar?: boolean };
/** So many of the chosen doors are named. */
const NAMED = 24;
type Doing = 'open' | 'lock' | 'out' | 'back' | 'settle';

/** Whose word it is: a sensor's may be wrong, and is told as no more than that. */
const doubtOf = ({ content, contentWhy }: Locker): 'unknown' | 'empty' | 'occupied' | 'sensedEmpty' | 'sensedOccupied' => {
  if (content === 'unknown' || contentWhy !== 'sensor') return content;
  return content === 'empty' ? 'sensedEmpty' : 'sensedOccupied';
};

/** The problem of a door that would not move speaks of opening. */
const notLockedBecause = ({ door }: Locker, error: unknown, t: TFunction): string =>
  codeOf(error) === 'door-refused'
    ? t(door === 'opened' ? 'lockers.result.openStill' : 'lockers.result.lockRefused')
    : t(`problems.${tell(error).sentence}`);

/** What is known of the doors that are chosen, and what can be done with them. */
export const ControlPanel = ({ chosen, cabinets, onClear }: Props) => {
  const { t } = useTranslation();
  const commands = useDoorCommands();
  const [ask, setAsk] = useState<'open' | 'out' | null>(null);
  const [saying, setSaying] = useState<'empty' | 'occupied' | null>(null);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [results, setResults] = useState<readonly Result[]>([]);
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const count = chosen.length;
  const doors = useMemo(() => new Map(chosen.map((locker) => [locker.doorTag, locker.door])), [chosen]);
  const few = (lockers: readonly Locker[]) => {
    const named = lockers.slice(0, NAMED).map((locker) => locker.doorTag);
    const rest = lockers.length - named.length;
    return rest === 0 ? named : [...named, t('common.andMore', { count: rest })];
  };
  const out = chosen.filter((locker) => locker.outOfService !== null);
  // Known before anybody walks to the wall.
  const away = chosen.filter((locker) => locker.connection === 'offline');
  const inService = chosen.filter((locker) => locker.outOfService === null);
  const lockable = chosen.length > 0 && chosen.every((locker) => cabinets.find((cabinet) => cabinet.id === locker.cabinetId)?.canLock);

  /** One door after the other, so that whoever stands there can follow; one that fails does not stop the rest. */
  const each = async (
    what: Doing,
    lockers: readonly Locker[],
    command: (locker: Locker) => Promise<Locker>,
    said: (locker: Locker) => string,
  ) => {
    setAsk(null);
    setDoing(what);
    setResults([]);
    for (const locker of lockers) {
      let result: Result;
      try {
        result = { tag: locker.doorTag, bad: false, text: said(await command(locker)) };
      } catch (error) {
        const why = what === 'lock' ? notLockedBecause(locker, error, t) : t(`problems.${tell(error).sentence}`);
        const ajar = what === 'lock' && codeOf(error) === 'door-refused' && locker.door === 'opened';
        result = { tag: locker.doorTag, bad: true, text: t('lockers.result.failed', { tag: locker.doorTag, why }), ajar };
      }
      setResults((now) => [...now, result]);
    }
    setDoing(null);
  };
  const outcome = (locker: Locker): string =>
    `${locker.doorTag}: ${locker.lastCommand === null ? doorWord(locker, t) : outcomeWord(locker.lastCommand, t)}`;
  const settle = (locker: Locker, content: 'empty' | 'occupied') => {
    setSaying(null);
    return each(
      'settle',
      [locker],
      (one) => commands.settle(one.id, content),
      (one) => `${one.doorTag}: ${t(`terms.content.${one.content}`)}`,
    );
  };
  // Why goes with those alone that do not open without it.
  const open = (reason?: string) =>
    each(
      'open',
      chosen,
      (locker) => commands.open({ locker, ...(reason !== undefined && locker.outOfService !== null ? { reason } : {}) }),
      outcome,
    );

  if (count === 0) {
    return (
      <Panel title={t('lockers.choose')}>
        <p className={styles.quiet}>{t('lockers.chooseText')}</p>
        <Results results={results} />
      </Panel>
    );
  }
  return (
    <Panel
      title={only?.doorTag ?? t('lockers.chosen', { count })}
      aside={
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          {t('lockers.clear')}
        </Button>
      }
    >
      {only?.inDoubt === true && (
        <div className={styles.doubt}>
          <b>{t(`lockers.doubt.${doubtOf(only)}.title`)}</b>
          <p>{t(`lockers.doubt.${doubtOf(only)}.text`)}</p>
          <div className={styles.pair}>
            {/* what was said already is not asked again */}
            {(['empty', 'occupied'] as const)
              .filter((content) => content !== only.content)
              .map((content) => (
                <Button key={content} size="sm" variant="default" disabled={doing !== null} onClick={() => setSaying(content)}>
                  {t(content === 'empty' ? 'lockers.isEmpty' : 'lockers.isOccupied')}
                </Button>
              ))}
          </div>
        </div>
      )}
      {only !== undefined && saying !== null && (
        <SettleDialog
          locker={only}
          said={saying}
          hasSensors={cabinets.some((cabinet) => cabinet.id === only.cabinetId && cabinet.hasSensors)}
          onConfirm={() => void settle(only, saying)}
          onClose={() => setSaying(null)}
        />
      )}
      {only === undefined && (
        <ul className={styles.tags}>
          {few(chosen).map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {away.length > 0 && (
        <Alert color="yellow" variant="light" mb="md" icon={<IconPlugConnectedX aria-hidden />}>
          {only === undefined && `${few(away).join(', ')}: `}
          {t('problems.cabinet-offline')}
        </Alert>
      )}
      <div className={styles.acts}>
        <Button
          loading={doing === 'open'}
          disabled={doing !== null}
          onClick={(press) => {
            if (!isOnePress(press)) return;
            if (only !== undefined && out.length === 0 && !asksFirst(only)) void open();
            else setAsk('open');
          }}
        >
          {t('lockers.open', { count })}
        </Button>
        {lockable && (
          <Button
            size="sm"
            variant="default"
            loading={doing === 'lock'}
            disabled={doing !== null}
            onClick={(press) => isOnePress(press) && void each('lock', chosen, (locker) => commands.lock(locker.id), outcome)}
          >
            {t('lockers.lock', { count })}
          </Button>
        )}
        {inService.length > 0 && (
          <Button size="sm" variant="default" loading={doing === 'out'} disabled={doing !== null} onClick={() => setAsk('out')}>
            {t('lockers.takeOut', { count: inService.length })}
          </Button>
        )}
        {out.length > 0 && (
          <Button
            size="sm"
            variant="default"
            loading={doing === 'back'}
            disabled={doing !== null}
            onClick={() =>
              void each(
                'back',
                out,
                (locker) => commands.backInService(locker.id),
                (locker) => `${locker.doorTag}: ${t('common.saved')}`,
              )
            }
          >
            {t('lockers.bringBack', { count: out.length })}
          </Button>
        )}
      </div>
      {/* what was said of other doors belongs to them */}
      <Results results={results.filter(({ tag, ajar }) => doors.has(tag) && (!ajar || doors.get(tag) === 'opened'))} />
      {only !== undefined && <Sandbox to={only} />}
      {only !== undefined && <Known locker={only} cabinet={cabinets.find((cabinet) => cabinet.id === only.cabinetId)} />}
      {!lockable && <p className={styles.quiet}>{t('lockers.cannotLock')}</p>}
      <p className={styles.quiet}>{t('lockers.openNote')}</p>
      <ConfirmDialog
        opened={ask === 'open' && out.length === 0}
        title={only === undefined ? t('lockers.openConfirm', { count }) : t('lockers.openOut', { tag: only.doorTag })}
        action={t('lockers.open', { count })}
        onConfirm={() => void open()}
        onClose={() => setAsk(null)}
      >
        {t(only === undefined ? 'lockers.openConfirmText' : 'lockers.openOneText')}
        {only === undefined ? <Behind lockers={chosen} /> : <BehindOne locker={only} />}
      </ConfirmDialog>
      {ask === 'open' && out.length > 0 && (
        <ReasonDialog
          title={only === undefined ? t('lockers.openConfirm', { count }) : t('lockers.openOut', { tag: only.doorTag })}
          text={
            <>
              {only === undefined && `${t('lockers.openConfirmText')} `}
              {t('lockers.openOutText', { tags: few(out).join(', '), count: out.length })}
              {only === undefined ? <Behind lockers={chosen} /> : asksFirst(only) && <BehindOne locker={only} />}
            </>
          }
          label={t('lockers.reason')}
          placeholder={t('lockers.openOutPlaceholder')}
          needed={t('lockers.reasonNeeded')}
          action={t('lockers.open', { count })}
          onConfirm={(reason) => void open(reason)}
          onClose={() => setAsk(null)}
        />
      )}
      {ask === 'out' && (
        <ReasonDialog
          title={t('lockers.takeOut', { count: inService.length })}
          text={t('lockers.takeOutText', { tags: few(inService).join(', ') })}
          label={t('lockers.reason')}
          placeholder={t('lockers.reasonPlaceholder')}
          needed={t('lockers.reasonNeeded')}
          action={t('lockers.takeOut', { count: inService.length })}
          onConfirm={(reason) =>
            void each(
              'out',
              inService,
              (locker) => commands.outOfService(locker.id, reason),
              (locker) => `${locker.doorTag}: ${t('common.saved')}`,
            )
          }
          onClose={() => setAsk(null)}
        />
      )}
    </Panel>
  );
};

const Results = ({ results }: { results: readonly Result[] }) => (
  <ul className={styles.results} aria-live="polite">
    {results.map((result) => (
      <li key={result.tag} data-bad={result.bad || undefined}>
        {result.text}
      </li>
    ))}
  </ul>
);
