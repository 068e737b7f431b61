import { mayActOnOccupation, mayUseOnLocker } from '@hatchway/domain/access.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../app/problem.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { cabinetsQuery, lockerQuery, occupationQuery, type Locker } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { isFocusFree } from '../../ui/focus-back.ts';
import { Form } from '../../ui/form.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel, Placeholder } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { recordOf, recordSays, shouldBeEmpty } from '../lockers/record.ts';
import { useSureInside } from '../lockers/sure-inside.tsx';
import styles from './builder.module.css';
import { type Outcome, type Seen, Summary } from './check-summary.tsx';
import { OutNote, useDoubts } from './doubt-list.tsx';
import { LastUse } from './last-use.tsx';
import { NotThere } from './not-there.tsx';
import { useRound } from './use-round.ts';
import { WallsButton } from './walls-button.tsx';
import { whyWords } from './why.ts';

/** Reasons that a sensor gives against what was said. */
const DENIED: ReadonlySet<string | null> = new Set(['still-sensed', 'not-sensed', 'sensor']);

/** Door after door: open it, look, say what you see with one press. What is not seen is not claimed. */
export const Check = () => {
  const { t } = useTranslation();
  const { theirs: all, pending, error, retry } = useDoubts();
  // The one in hand stays until its door is shut, though its answer has taken it off the list.
  const [{ outcomes, inHand }, setRound] = useRound();
  const offline = all.filter((locker) => locker.connection === 'offline' && !outcomes.has(locker.id));
  const waiting = all.filter((locker) => locker.connection === 'online' && !outcomes.has(locker.id) && locker.id !== inHand);
  const current = inHand ?? waiting[0]?.id;
  const done = outcomes.size - (inHand !== null && outcomes.has(inHand) ? 1 : 0);
  const note = (id: string, outcome: Outcome, hand: string | null): void =>
    setRound({ outcomes: new Map(outcomes).set(id, outcome), inHand: hand });
  return (
    <>
      <PageHeader
        title={t('builder.check.title')}
        intro={current !== undefined && t('builder.check.of', { at: done + 1, total: done + waiting.length + (inHand === null ? 0 : 1) })}
        actions={
          <WallsButton search={{ view: 'doubt' }} variant="default">
            {current === undefined ? t('builder.check.back') : t('builder.check.pause')}
          </WallsButton>
        }
      />
      {error && <ProblemNote error={error} onRetry={retry} />}
      {pending && <Placeholder height={320} />}
      <Led className={styles.step}>
        {current !== undefined && (
          <Door
            key={current}
            id={current}
            onOpened={() => inHand !== current && setRound({ outcomes, inHand: current })}
            onSeen={(outcome) => note(current, outcome, current)}
            onNext={(outcome) => note(current, outcome, null)}
            onSkip={(tag) => note(current, { tag, seen: 'skipped', occupationId: null, after: null }, null)}
          />
        )}
        {!pending && !error && current === undefined && <Summary outcomes={[...outcomes.values()]} left={all.length} />}
        {offline.length > 0 && (
          <p className={styles.note}>{t('builder.check.skippedOffline', { tags: offline.map((locker) => locker.doorTag).join(', ') })}</p>
        )}
      </Led>
    </>
  );
};

/**
 * What is pressed here gives way to what comes next: the focus goes on to that, marked `data-next`, once somebody has pressed something.
 * Of an answer it is the question: an Enter too many must not answer it.
 */
const Led = ({ className, children }: { className: string | undefined; children: ReactNode }) => {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = root;
    if (!current) return undefined;
    let pressed = false;
    const goOn = (): void => {
      if (pressed && isFocusFree()) current.querySelector<HTMLElement>('[data-next]:not(:disabled)')?.focus();
    };
    const press = (): void => {
      pressed = true;
    };
    current.addEventListener('click', press, true);
    const watch = new MutationObserver(goOn);
    watch.observe(current, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
    return () => {
      current.removeEventListener('click', press, true);
      watch.disconnect();
    };
  }, []);
  return (
    <div ref={root} className={className}>
      {children}
    </div>
  );
};

type DoorProps = {
  id: string;
  onOpened: () => void;
  onSeen: (outcome: Outcome) => void;
  onNext: (outcome: Outcome) => void;
  onSkip: (tag: string) => void;
};

const Door = ({ id, onOpened, onSeen, onNext, onSkip }: DoorProps) => {
  const { t } = useTranslation();
  const { api, applyChange } = usePortal();
  const facts = useFacts();
  const commands = useDoorCommands();
  const { data: locker } = useQuery(lockerQuery(api, id));
  const useId = locker?.occupationId ?? null;
  const use = useQuery({ ...occupationQuery(api, useId ?? ''), enabled: useId !== null });
  const occupation = use.data;
  const [looking, setLooking] = useState(false);
  const [other, setOther] = useState(false);
  /** It was to be left while it stands open. */
  const [leaving, setLeaving] = useState(false);
  // Found open it is in hand as one that was opened from here: shut before anything was said, it is asked of all the same.
  const ajar = locker?.door === 'opened';
  const [found, setFound] = useState(ajar);
  if (ajar && !found) setFound(true);
  useEffect(() => {
    if (found) onOpened();
  }, [found, onOpened]);
  /** Pressed twice before the screen has changed, it is said once. */
  const said = useRef(false);
  const open = useMutation({
    mutationFn: (one: Locker) => commands.open({ locker: one, reason: t('builder.check.title') }),
    onSuccess: () => {
      setLooking(true);
      onOpened();
    },
  });
  const answer = useMutation({
    mutationFn: async ({ seen, words, locker }: { seen: Seen; words: string; locker: Locker }) => {
      const mayAct = occupation !== undefined && mayActOnOccupation({ type: occupation.type, lockerId: locker.id }, facts);
      if (seen === 'as-shown') await commands.settle(locker.id, shouldBeEmpty(locker) ? 'empty' : 'occupied');
      else if (seen === 'empty' && mayAct && occupation.actions.includes('empty')) {
        // Its use goes on empty; what becomes of it is for whoever the summary sends there.
        const after = await api('PUT /occupations', { body: { id: occupation.id, action: 'empty' } });
        applyChange({ noun: 'occupations', method: 'PUT', data: after });
      } else if (seen === 'empty') await commands.settle(locker.id, 'empty');
      else {
        // With a use on it, saying "occupied" would claim that what lies there is what the record says: it stays in doubt.
        if (locker.occupationId === null) await commands.settle(locker.id, 'occupied', words);
        await commands.outOfService(locker.id, words);
      }
    },
    onSuccess: (_, { seen, locker }) => onSeen({ tag: locker.doorTag, seen, occupationId: locker.occupationId, after: null }),
  });
  const say = (words: Parameters<typeof answer.mutate>[0]): void => {
    if (said.current) return;
    said.current = true;
    answer.mutate(words, { onError: () => (said.current = false) });
  };
  const { sure, question } = useSureInside();
  if (!locker) return <Placeholder height={320} />;
  const shown = (): void => say({ seen: 'as-shown', words: '', locker });
  const tag = locker.doorTag;
  const mayOpen = mayUseOnLocker('lock-control', locker.id, facts);
  const what = recordOf(occupation, locker, t);
  const empty = shouldBeEmpty(locker);
  // What an answer says of its use hangs on how that stands.
  const busy = answer.isPending || (useId !== null && use.isPending);
  const last = answer.variables;
  // Written down, though its answer was lost: said once more it would be a word on the door, and settle what a sensor may deny.
  const written = answer.isError && last?.seen === 'empty' && !shouldBeEmpty(last.locker) && occupation?.stage === STAGES.VACANT;
  const answered = answer.isSuccess || written ? last : undefined;
  // Why it was to be checked: the answer is no reason for the question.
  const asked = answer.isPending || answered ? (last?.locker ?? locker) : locker;
  // Shut again, its sensor is heard: what was said is written down, and the door stays to be checked.
  const denied = answered !== undefined && answered.seen !== 'other' && !ajar && locker.inDoubt && DENIED.has(locker.contentWhy);
  const goOn = (): void => {
    if (answered === undefined) onSkip(tag);
    else onNext({ tag, seen: answered.seen, occupationId: answered.locker.occupationId, after: ajar ? 'ajar' : denied ? 'denied' : null });
  };
  // What its sensor says of the answer shows once it is shut.
  const leave = (): void => (ajar ? setLeaving(true) : goOn());
  const asks = ajar ? 'isOpen' : !mayOpen ? 'byHand' : locker.door === 'closed' ? 'isShut' : 'isOpen';
  return (
    <Panel title={`${t(`terms.content.${asked.content}`)}: ${whyWords(t, asked)}`} aside={<Where locker={locker} />}>
      <div className={styles.step}>
        <p className={styles.door}>{tag}</p>
        <p>{answered?.seen === 'empty' ? t('builder.check.saidEmpty', { tag }) : recordSays(occupation, asked, t)}</p>
        {answered?.seen === 'empty' && !denied && <NotThere locker={answered.locker} use={occupation} />}
        {!answered && <LastUse locker={asked} />}
        <OutNote locker={locker} />
        {answered ? (
          <>
            <output>{ajar ? t('builder.check.close') : denied ? t('builder.check.denied', { tag }) : t('builder.check.done')}</output>
            <Button size="lg" data-next variant={ajar ? 'default' : 'filled'} onClick={leave}>
              {t('common.next')}
            </Button>
          </>
        ) : looking || found || !mayOpen ? (
          <div className={styles.answers}>
            <output data-next tabIndex={-1}>
              {t(`builder.check.${asks}`, { tag })}
            </output>
            <Button
              size="lg"
              variant={other ? 'default' : 'filled'}
              loading={answer.isPending && answer.variables.seen === 'as-shown'}
              disabled={busy && !(answer.isPending && answer.variables.seen === 'as-shown')}
              onClick={() => (empty ? shown() : sure(locker.id, shown, mayOpen ? () => open.mutate(locker) : undefined))}
            >
              {empty || what === null ? t('builder.check.nothing') : t('builder.check.asShown', { what })}
            </Button>
            {!empty && (
              <Button size="lg" variant="default" disabled={busy} onClick={() => say({ seen: 'empty', words: '', locker })}>
                {t('builder.check.empty')}
              </Button>
            )}
            {other ? (
              <Other busy={answer.isPending} onSave={(words) => say({ seen: 'other', words, locker })} />
            ) : (
              <Button size="lg" variant="default" disabled={busy} onClick={() => setOther(true)}>
                {t('builder.check.other')}
              </Button>
            )}
            {/* Somebody else opened it, and shut it again: who comes now has seen nothing of it. */}
            {!looking && mayOpen && !ajar && (
              <Button size="lg" variant="default" loading={open.isPending} disabled={answer.isPending} onClick={() => open.mutate(locker)}>
                {t('builder.check.open', { tag })}
              </Button>
            )}
            {!looking && open.isError && (
              <p role="alert" className={styles.bad}>
                {t('builder.check.notOpen', { tag, why: t(`problems.${tell(open.error).sentence}`) })}
              </p>
            )}
          </div>
        ) : (
          <div className={styles.answers}>
            <Button size="lg" data-next loading={open.isPending} onClick={() => open.mutate(locker)}>
              {open.isError ? t('builder.check.again') : t('builder.check.open', { tag })}
            </Button>
            {open.isPending && <output>{t('builder.check.opening')}</output>}
            {open.isError && (
              <>
                <p role="alert" className={styles.bad}>
                  {t('builder.check.notOpen', { tag, why: t(`problems.${tell(open.error).sentence}`) })}
                </p>
                <Button size="lg" variant="default" onClick={() => setLooking(true)}>
                  {t('builder.check.sawWithout')}
                </Button>
              </>
            )}
          </div>
        )}
        {question}
        {answer.isError && !answered && <ProblemNote error={answer.error} />}
        {!answered && (
          <Button variant="subtle" onClick={leave}>
            {t('builder.check.skip')}
          </Button>
        )}
        {/* Below what was pressed: a press too many must not leave it open. */}
        {leaving && ajar && (
          <>
            <p role="alert" className={styles.bad}>
              {t('builder.check.closeFirst', { tag })}
            </p>
            <Button variant="subtle" onClick={goOn}>
              {t('builder.check.leaveOpen')}
            </Button>
          </>
        )}
      </div>
    </Panel>
  );
};

const Where = ({ locker }: { locker: Locker }) => {
  const { t } = useTranslation();
  const cabinet = useQuery(cabinetsQuery(useApi())).data?.find(({ id }) => id === locker.cabinetId);
  return cabinet ? (
    <span className={styles.quiet}>{t('builder.check.where', { cabinet: cabinet.name, site: cabinet.siteName })}</span>
  ) : null;
};

const Other = ({ busy, onSave }: { busy: boolean; onSave: (words: string) => void }) => {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [lacking, setLacking] = useState(false);
  const submit = () => {
    if (words.trim() === '') setLacking(true);
    else onSave(words.trim());
  };
  return (
    <Form onSubmit={submit} className={styles.answers}>
      <TextInput
        label={t('builder.check.otherNote')}
        description={t('builder.check.otherText')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        error={lacking && words.trim() === '' ? t('builder.check.otherNeeded') : undefined}
        errorProps={{ role: 'alert' }}
        maxLength={300}
        size="md"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was asked for by the press before
        autoFocus
      />
      <Button type="submit" size="lg" loading={busy}>
        {t('builder.check.otherSave')}
      </Button>
    </Form>
  );
};
