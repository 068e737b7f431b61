import { mayUseOnLocker } from '@hatchway/domain/access.ts';
import { isFailing } from '@hatchway/domain/locker.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { Anchor, Button, Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconDoor,
  IconHelp,
  IconHourglass,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPackage,
  IconPackageExport,
  IconPackageOff,
  IconCircleCheck,
  IconPlugConnectedX,
  IconSend,
  IconShoppingCartX,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline, shortTime } from '../../app/dates.ts';
import type { Locker, Occupation } from '../../app/queries.ts';
import { useFacts, useZone } from '../../app/who.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Wall } from '../../ui/wall/wall.tsx';
import { doorsOf, notLocked, type LockerFacts } from '../lockers/door-view.ts';
import { Sandbox } from '../sandbox/sandbox.tsx';
import type { DoorChoice } from './choice.ts';
import { DoorPlate, standOut } from './door-plate.tsx';
import { DoubtNote } from './doubt-note.tsx';
import { MessageList } from './message-list.tsx';
import { NotOpened } from './passed-over.tsx';
import { PLANS, type FillService } from './plan.ts';
import { against, callsForOpen, hasMainOne, isJammed, mayStartOver, wantsWords, type Attempt, type Scene } from './running.ts';
import styles from './service.module.css';
import { useWhoTold } from './who-told.ts';

export type RunningAct =
  | 'open'
  | 'next-best'
  | 'by-hand'
  | 'inside'
  | 'nothing-inside'
  | 'not-empty'
  | 'notify'
  | 'publish'
  | 'send-link'
  | 'next'
  | 'next-parcel';
type Tone = 'go' | 'ok' | 'bad' | 'unknown' | 'plain';

const LOOK: Record<Scene, [Icon, Tone]> = {
  opening: [IconDoor, 'go'],
  reserved: [IconLock, 'plain'],
  refused: [IconAlertTriangle, 'bad'],
  'not-seen': [IconHelp, 'unknown'],
  'no-answer': [IconHelp, 'unknown'],
  offline: [IconPlugConnectedX, 'bad'],
  failed: [IconAlertTriangle, 'bad'],
  'by-hand': [IconKey, 'go'],
  ajar: [IconDoor, 'go'],
  'opened-unseen': [IconHelp, 'unknown'],
  // No padlock: that the door is shut says nothing of its lock.
  settling: [IconHourglass, 'go'],
  unsaid: [IconHelp, 'unknown'],
  'not-locked': [IconLockOpen, 'bad'],
  'sensed-empty': [IconHelp, 'unknown'],
  filled: [IconPackage, 'ok'],
  kept: [IconPackage, 'ok'],
  'kept-sent': [IconCircleCheck, 'ok'],
  stocked: [IconPackage, 'ok'],
  published: [IconCircleCheck, 'ok'],
  sending: [IconSend, 'go'],
  told: [IconCircleCheck, 'ok'],
  unsure: [IconHelp, 'unknown'],
  'not-told': [IconAlertTriangle, 'bad'],
  unasked: [IconSend, 'plain'],
  asking: [IconSend, 'go'],
  asked: [IconCircleCheck, 'ok'],
  'ask-unsure': [IconHelp, 'unknown'],
  'not-asked': [IconAlertTriangle, 'bad'],
  bringing: [IconDoor, 'go'],
  brought: [IconPackage, 'ok'],
  claimed: [IconDoor, 'go'],
  visited: [IconDoor, 'go'],
  lent: [IconPackageExport, 'ok'],
  'sold-out': [IconPackageOff, 'plain'],
  'taken-back': [IconHelp, 'plain'],
  delivered: [IconCircleCheck, 'ok'],
  unstored: [IconCircleCheck, 'ok'],
  sold: [IconCircleCheck, 'ok'],
  fetched: [IconCircleCheck, 'ok'],
  ended: [IconCircleCheck, 'plain'],
};

/** What can be done in each scene. A door that opens or shuts moves no button: what two scenes share stands in the same order in both. */
const AT_DOOR: readonly RunningAct[] = ['open', 'nothing-inside', 'inside', 'not-empty'];
const TO_OPEN: readonly RunningAct[] = ['open', 'next-best', 'by-hand'];
const ACTS: Record<Scene, readonly RunningAct[]> = {
  opening: [],
  reserved: TO_OPEN,
  refused: TO_OPEN,
  'not-seen': TO_OPEN,
  'no-answer': TO_OPEN,
  offline: TO_OPEN,
  failed: TO_OPEN,
  'by-hand': AT_DOOR,
  ajar: AT_DOOR,
  'opened-unseen': AT_DOOR,
  'sensed-empty': AT_DOOR,
  'not-locked': AT_DOOR,
  unsaid: AT_DOOR,
  settling: AT_DOOR,
  // Notify Receiver and Publish stand at the foot, where Next was; here is the way back.
  filled: ['open', 'nothing-inside'],
  kept: ['open', 'nothing-inside'],
  stocked: ['open', 'nothing-inside'],
  published: ['next'],
  sending: ['next', 'next-parcel'],
  told: ['next', 'next-parcel'],
  'kept-sent': ['next'],
  unsure: ['next', 'next-parcel'],
  'not-told': ['notify', 'next'],
  unasked: ['send-link', 'open'],
  asking: ['next', 'open'],
  asked: ['next', 'open'],
  'ask-unsure': ['next', 'send-link', 'open'],
  'not-asked': ['send-link', 'next', 'open'],
  bringing: ['next'],
  brought: ['next'],
  claimed: ['next'],
  visited: ['next'],
  lent: ['next'],
  'sold-out': ['next'],
  'taken-back': ['next'],
  delivered: ['next'],
  unstored: ['next'],
  sold: ['next'],
  fetched: ['next'],
  ended: ['next'],
};
/** The next likely one, which has the focus, where that is not the first. */
const LIKELY: Partial<Record<Scene, RunningAct>> = {
  offline: 'next-best',
  'by-hand': 'inside',
  'opened-unseen': 'inside',
  'not-locked': 'inside',
  settling: 'inside',
};
/** Where it stands at the foot, none of the card's is. */
const FOOT: ReadonlySet<Scene> = new Set(['filled', 'kept', 'stocked']);
/** What stands over and under the wall on this screen: bar, title, steps, plate, buttons. */
const BESIDE = 340;
const ASKING: ReadonlySet<Scene> = new Set(['unasked', 'asking', 'asked', 'ask-unsure', 'not-asked']);

type Props = {
  service: FillService;
  scene: Scene;
  occupation: Occupation;
  locker: Locker | undefined;
  attempt: Attempt;
  choice: DoorChoice;
  /** The door to take instead, if there is one, and by which name. */
  instead: string | null;
  insteadDoor: LockerFacts | null;
  busy: RunningAct | null;
  error: unknown;
  onAct: (act: RunningAct) => void;
};

export const RunningPanel = ({ service, scene, occupation, locker, attempt, choice, instead, insteadDoor, busy, error, onAct }: Props) => {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  const values = { tag: occupation.doorTag, name: occupation.receiver?.name ?? '', due: deadline(occupation.dueAt, useZone(), shortTime) };
  // Whose it is and what: several parcels may stand on the counter.
  const about = [occupation.assetName ?? occupation.assetText, occupation.receiver?.name].filter(Boolean).join(' · ');
  // What the door itself says goes before what was written down.
  const but = against(scene, locker);
  const [SceneIcon, tone]: [Icon, Tone] = but === null ? LOOK[scene] : [but === 'open' ? IconDoor : IconAlertTriangle, 'unknown'];
  const claims = FOOT.has(scene) || scene === 'brought';
  const told = useWhoTold(scene, occupation);
  const name = but !== null && claims ? t(`occupations.against.${but}.title`, values) : t(`occupations.scene.${scene}.title`, values);
  const title = told?.assumed === true ? `${name} (${t('history.assumed')})` : name;
  const jam = scene === 'refused' && isJammed(attempt, locker);
  const text =
    but !== null
      ? t(`occupations.against.${but}.text`, values)
      : jam
        ? t('problems.door-jammed')
        : t(`occupations.scene.${scene}.text`, values);
  const facts = useFacts();
  // What counts as filled keeps its door shut: opening it all the same is lock control's right, and changes nothing of it.
  const mayOpen = callsForOpen(occupation) || mayUseOnLocker('lock-control', occupation.lockerId, facts);
  const acts = ACTS[scene].filter((act) => {
    // The same person again: only a delivery is one of several parcels.
    if (act === 'notify') return occupation.actions.includes('send');
    if (act === 'next-parcel') return PLANS[service].type === 'delivery';
    if (!FOOT.has(scene)) return true;
    return act === 'open' ? mayOpen : mayStartOver(occupation);
  });
  const likely = FOOT.has(scene) ? undefined : (LIKELY[scene] ?? acts[0]);
  /** It stands open already, or nothing was opened yet that something could lie behind. */
  const idle = (act: RunningAct): boolean =>
    act === 'open'
      ? scene === 'ajar' || but === 'open'
      : (act === 'nothing-inside' && occupation.stage === STAGES.RESERVED) || (act === 'next-best' && instead === null);
  const loose = locker !== undefined && notLocked(locker) && scene !== 'not-locked';
  const cabinet = choice.walls.cabinets.find((one) => one.id === locker?.cabinetId);
  const here = useMemo(() => choice.walls.lockers.filter((one) => one.cabinetId === cabinet?.id), [choice.walls.lockers, cabinet?.id]);
  const doors = useMemo(() => standOut(doorsOf(here), occupation.lockerId), [here, occupation.lockerId]);
  const selected = useMemo(() => new Set([occupation.lockerId]), [occupation.lockerId]);

  const onWords = wantsWords(scene, locker);
  // The next likely thing is one Enter away; whoever works elsewhere on the page is left alone. A tap on nothing is no work.
  useEffect(() => {
    const active = document.activeElement;
    const own = panel.current?.closest('form') ?? panel.current;
    if (active !== document.body && active !== null && !own?.contains(active) && !active.matches('[data-page-title], main')) return;
    own?.querySelector<HTMLElement>(onWords ? 'h2' : '[data-first]')?.focus();
    // Sensed a moment later, it takes the focus from nobody.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [scene]);

  const label = (act: RunningAct): string => {
    switch (act) {
      case 'open':
        // Who was asked is to open it; staff may put it in themselves.
        return ASKING.has(scene)
          ? t('occupations.act.openHere', values)
          : scene === 'reserved'
            ? t('occupations.act.open', values)
            : scene === 'settling' ||
                scene === 'unsaid' ||
                scene === 'not-locked' ||
                scene === 'sensed-empty' ||
                scene === 'opened-unseen' ||
                scene === 'ajar' ||
                FOOT.has(scene)
              ? t('occupations.act.openAgain')
              : t('occupations.act.tryAgain');
      case 'next-best':
        return instead === null ? t('occupations.act.noOther') : t('occupations.act.nextBest', { tag: instead });
      case 'by-hand':
        return t('occupations.act.byHand');
      case 'inside':
        return t('occupations.act.inside');
      case 'nothing-inside':
        return t('occupations.act.nothingInside');
      case 'not-empty':
        return t('occupations.act.notEmpty');
      case 'notify':
        return scene === 'not-told' ? t('occupations.act.sendAgain') : t('occupations.act.notify');
      case 'publish':
        return t('occupations.act.publish');
      case 'send-link':
        return t(scene === 'unasked' ? 'occupations.act.sendLink' : 'occupations.act.sendAgain');
      case 'next':
        return t(`occupations.act.nextOf.${service}`);
      case 'next-parcel':
        return t('occupations.act.nextParcel', values);
    }
  };

  return (
    <div className={styles.stage} ref={panel}>
      <section className={styles.card} data-tone={tone} aria-label={title}>
        <DoorPlate tag={occupation.doorTag} lockerId={occupation.lockerId} cabinet={cabinet} />
        {about !== '' && <p className={styles.about}>{about}</p>}
        <div className={styles.said} data-tone={tone}>
          {scene === 'opening' || scene === 'sending' || scene === 'asking' ? (
            <Loader size={28} aria-hidden />
          ) : (
            <SceneIcon size={32} stroke={1.8} aria-hidden />
          )}
          <div aria-live="polite">
            <h2 className={styles.sceneTitle} tabIndex={-1}>
              {title}
            </h2>
            <p className={styles.sceneText}>
              {told?.words} {text}
            </p>
            {occupation.orderCalledOff && (
              <p className={styles.loose}>
                <IconShoppingCartX size={18} aria-hidden /> {t('occupations.calledOff')}
              </p>
            )}
            {loose && (
              <p className={styles.loose}>
                <IconLockOpen size={18} aria-hidden /> {t('occupations.notLocked', values)}
              </p>
            )}
          </div>
        </div>
        {error !== null && error !== undefined && <ProblemNote error={error} />}
        <div className={styles.actions} hidden={acts.length === 0}>
          {acts.map((act) => (
            <Button
              key={act}
              size="md"
              variant={act === likely && hasMainOne(scene) ? 'filled' : 'default'}
              data-first={act === likely || undefined}
              loading={busy === act}
              disabled={(busy !== null && busy !== act) || idle(act)}
              onClick={() => onAct(act)}
            >
              {label(act)}
            </Button>
          ))}
        </div>
        {locker !== undefined && <Sandbox to={locker} />}
        {acts.includes('next-best') && insteadDoor !== null && isFailing(insteadDoor.lastCommand) && (
          <p className={styles.quiet}>
            <NotOpened locker={insteadDoor} />
          </p>
        )}
        {but === 'doubt' && <DoubtNote lockerId={occupation.lockerId} />}
        <MessageList occupationId={occupation.id} {...(scene === 'kept' ? { empty: t('occupations.manage.noMessages') } : {})} />
        <p className={styles.quiet}>
          <Anchor renderRoot={(props) => <Link to="/services/manageoccupation" search={{ id: occupation.id }} {...props} />}>
            {t('occupations.act.manage')}
          </Anchor>
          {' · '}
          <Anchor renderRoot={(props) => <Link to="/history/occupation/$id" params={{ id: occupation.id }} {...props} />}>
            {t('occupations.act.timeline')}
          </Anchor>
        </p>
      </section>
      {cabinet !== undefined && (
        <Wall
          name={cabinet.name}
          detail={cabinet.siteName}
          online={cabinet.connection === 'online'}
          layout={cabinet.columns}
          doors={doors}
          selected={selected}
          beside={BESIDE}
        />
      )}
    </div>
  );
};
