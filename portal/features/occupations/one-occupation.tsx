import { mayUseOnLocker } from '@hatchway/domain/access.ts';
import { isAsked, STAGES } from '@hatchway/domain/terms.ts';
import { Anchor, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { lockerQuery, occupationQuery, type Occupation } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts, useToken } from '../../app/who.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailLayout } from '../../ui/detail-layout.tsx';
import { isFocusFree } from '../../ui/focus-back.ts';
import { Notice } from '../../ui/notice.tsx';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { OverdueBadge, UseBadge } from '../../ui/stage-badge.tsx';
import { PaymentsOf } from '../payments/of-occupation.tsx';
import { Sandbox } from '../sandbox/sandbox.tsx';
import { useDoorCommands } from '../lockers/api.ts';
import { Choice } from './acts-choice.tsx';
import { About, DoorBadges, useContent } from './about.tsx';
import { assetQuery, useOccupationCommands } from './api.ts';
import { Asking } from './asking.tsx';
import { CalledOffBadge } from './called-off.tsx';
import { waysTo } from './change-dialogs.tsx';
import { ContactBadge } from './contact-badge.tsx';
import { LookOverBadge, LookOverNote } from './look-over.tsx';
import { DoubtNote } from './doubt-note.tsx';
import { saidOf } from './draft.ts';
import { freshKept, layReady } from './kept.ts';
import styles from './manage.module.css';
import { MessageList } from './message-list.tsx';
import { actsOf, behindMore, isAsking, isConfirmed, isEnding, isOpening, type Act, type Asked } from './offers.ts';
import { usePlace } from './place.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { StandsOpen } from './stands-open.tsx';
import { useSureInside } from '../lockers/sure-inside.tsx';
import { TakingOut } from './taking-out.tsx';
import { useMoving } from './use-moving.ts';
import { useWhoPaid } from './who-paid.tsx';

/** There is none by that id, be it one that never was, or no id at all: the page has said so. */
const isGone = (error: unknown): boolean => ['not-found', 'malformed'].includes(codeOf(error) ?? '');

/** What it is, its state now, what can be done now, its messages and its story. */
export const OneOccupation = ({ id, onClear }: { id: string; onClear: () => void }): ReactNode => {
  const { t } = useTranslation();
  const api = useApi();
  const occupation = useQuery(occupationQuery(api, id));
  const one = occupation.data;
  if (occupation.isPending) return <Bones lines={6} height={24} />;
  if (one === undefined) {
    return (
      <Notice
        level={2}
        title={t('occupations.manage.gone')}
        text={t('occupations.manage.noneText')}
        action={{ label: t('occupations.manage.clear'), onClick: onClear }}
      >
        {occupation.error !== null && !isGone(occupation.error) && (
          <ProblemNote error={occupation.error} onRetry={() => void occupation.refetch()} />
        )}
      </Notice>
    );
  }
  return (
    <DetailLayout aside={<About one={one} />}>
      <Panel
        title={`${one.doorTag} · ${one.receiver?.name ?? t(`terms.type.${one.type}`)}`}
        aside={
          <Button size="compact-sm" variant="subtle" onClick={onClear}>
            {t('occupations.manage.clear')}
          </Button>
        }
      >
        <Where one={one} />
        {/* What a door does while somebody presses must move no button: what comes and goes by it has its place here, or below them. */}
        <div className={`${styles.acts} ${styles.badges}`}>
          <UseBadge one={one} />
          {one.overdue && <OverdueBadge />}
          <DoorBadges lockerId={one.lockerId} />
          <LookOverBadge one={one} />
          <ContactBadge one={one} />
          <CalledOffBadge one={one} />
        </div>
        <Acts one={one} />
        <Cabinet one={one} />
        {one.orderCalledOff && <p className={styles.label}>{t('occupations.calledOff')}</p>}
        <DoubtNote lockerId={one.lockerId} />
        <LookOverNote one={one} />
        {one.type === 'recall' && one.assetId !== null && <StillLent assetId={one.assetId} />}
      </Panel>
      <PaymentsOf occupationId={id} />
      <Panel
        title={t('occupations.messages')}
        aside={
          <Anchor renderRoot={(props) => <Link to="/history/occupation/$id" params={{ id }} {...props} />}>
            {t('occupations.act.timeline')}
          </Anchor>
        }
      >
        <MessageList occupationId={id} empty={t('occupations.manage.noMessages')} />
      </Panel>
    </DetailLayout>
  );
};

/** Its door, large: whoever stands before the wall looks for nothing else. */
const Where = ({ one }: { one: Occupation }) => {
  const { where } = usePlace(one);
  return (
    <p className={styles.where}>
      <b>{one.doorTag}</b>
      <span>{where}</span>
    </p>
  );
};

const Cabinet = ({ one }: { one: Occupation }) => {
  const { data: locker } = useQuery(lockerQuery(useApi(), one.lockerId));
  return locker === undefined || one.stage >= STAGES.TERMINATED ? null : <Sandbox to={locker} />;
};

/** What was recalled has come back by another door than it went out: its loan is not over by that. */
const StillLent = ({ assetId }: { assetId: string }) => {
  const { t } = useTranslation();
  const { data: asset } = useQuery(assetQuery(useApi(), assetId));
  if (!asset?.holder) return null;
  const { name, occupationId } = asset.holder;
  return (
    <p className={styles.label}>
      {t('occupations.manage.stillLent', { asset: asset.name, name })}{' '}
      <Anchor renderRoot={(props) => <Link to="/services/manageoccupation" search={{ id: occupationId }} {...props} />}>
        {t('occupations.manage.toLoan')}
      </Anchor>
    </p>
  );
};

/** The allowed actions, the next likely one first; each answers at once and says what went wrong where it went wrong. */
const Acts = ({ one }: { one: Occupation }) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const navigate = useNavigate();
  const tenantId = useToken().tenant?.tenant_id ?? '';
  const commands = useOccupationCommands();
  const doors = useDoorCommands();
  const content = useContent(one);
  const { data: locker } = useQuery(lockerQuery(api, one.lockerId));
  const { place, pending } = usePlace(one);
  const away = locker?.connection === 'offline';
  // What comes next is done with the hands.
  const ajar = one.stage === STAGES.INITIATED && locker?.door === 'opened' && !away;
  const facts = useFacts();
  const whoPaid = useWhoPaid(one);
  const { sure, question } = useSureInside();
  const [asking, setAsking] = useState<Act | null>(null);
  const [moving, setMoving] = useMoving(one.id);
  const [busy, setBusy] = useState<Act | null>(null);
  const [error, setError] = useState<unknown>(null);
  // Opening without the occupation is lock control's right. What was taken out to be moved is moved next.
  const may = actsOf(one, locker?.occupancy).filter((act) => act !== 'openAnyway' || mayUseOnLocker('lock-control', one.lockerId, facts));
  const acts = moving && one.stage === STAGES.VACANT && may.includes('move') ? [...new Set<Act>(['move', ...may])] : may;
  const door = { id: one.lockerId, doorTag: one.doorTag };

  const carryOut = async (act: Done, reason?: string, at = door): Promise<unknown> => {
    const { id } = one;
    switch (act) {
      case 'publish':
      case 'fill':
      case 'finnish':
      case 'return':
      case 'empty':
      case 'reset':
        return commands.act({ action: act, id });
      case 'finnishStorage':
        return commands.act({ action: 'finnish', id });
      case 'send':
      case 'sendAgain':
      case 'sendLink':
      case 'remind':
        return commands.act({ action: 'send', id });
      case 'claim':
      case 'letOwnerIn': {
        // Who is let in stands at the door: it opens with the claim.
        const { paymentId } = whoPaid;
        const claimed = await commands.claim(id, paymentId === undefined ? {} : { paymentId });
        return doors.open({ locker: door, occupationId: claimed.id });
      }
      case 'delete':
        return commands.end(one);
      case 'lost':
        return commands.end(one, 'lost');
      case 'elsewhere':
        return commands.end(one, 'returned-elsewhere');
      case 'nothingInside':
        return commands.doubt(id, 'nothing-inside');
      case 'open':
        return doors.open({ locker: at, occupationId: id });
      case 'openAnyway':
        return doors.open({ locker: door, ...(reason === undefined ? {} : { reason }) });
      case 'again':
        layReady(tenantId, 'delivery', {
          ...freshKept('locker').draft,
          ...saidOf(one),
          // What lay behind that door needs one as large.
          size: locker?.size ?? null,
        });
        return navigate({ to: '/services/delivery' });
    }
  };
  /** The clock says that it was taken, too: whoever says so at the same moment is not refused. */
  const unlessTaken = async (act: Done, failure: unknown): Promise<'done' | 'overtaken'> => {
    if (act !== 'finnish' || codeOf(failure) !== 'occupation-transition') throw failure;
    const { endReason, stage } = await queryClient.fetchQuery({ ...occupationQuery(api, one.id), staleTime: 0 });
    if (endReason === 'taken') return 'done';
    if (stage === STAGES.CLAIMING) throw failure;
    return 'overtaken';
  };
  const overtaken = asking !== null && isConfirmed(asking) && !acts.includes(asking);
  const run = async (act: Done, reason?: string, at = door) => {
    setAsking(null);
    setBusy(act);
    setError(null);
    try {
      const done = await carryOut(act, reason, at).catch((failure: unknown) => unlessTaken(act, failure));
      if (done === 'overtaken') toast.warn(t('occupations.manage.settledMeanwhile', { tag: at.doorTag }));
      else if (act !== 'again') toast.ok(t(`occupations.manage.did.${act}`, { tag: at.doorTag }));
    } catch (failure) {
      setError(failure);
    }
    setBusy(null);
    toLikely();
  };
  const press = (act: Act) => {
    setMoving(act === 'moveOut' || (moving && (act === 'move' || act === 'open')));
    if (isConfirmed(act) || isAsking(act) || act === 'sendAgain' || act === 'remind' || (isSending(act) && waysTo(one) > 1)) setAsking(act);
    else if (saysInside(act)) sure(one.lockerId, () => void run(act), may.includes('open') ? () => void run('open') : undefined);
    else void run(act);
  };
  const button = (act: Act, first: boolean) => (
    <Button
      key={act}
      data-likely={first || undefined}
      {...(first && !ajar ? { variant: 'filled' } : isEnding(act) ? { variant: 'outline', color: 'red' } : { variant: 'default' })}
      size={first && !ajar ? 'md' : 'sm'}
      loading={busy === act}
      disabled={busy !== null && busy !== act}
      onClick={() => press(act)}
    >
      {t(`occupations.manage.action.${act === 'correct' && isAsked(one.type) ? 'correctPerson' : act}`)}
    </Button>
  );
  const item = (act: Act) => (
    <Menu.Item key={act} disabled={busy !== null} onClick={() => press(act)}>
      {t(`occupations.manage.action.${act}`)}
    </Menu.Item>
  );
  const close = () => {
    setAsking(null);
    if (asking === 'fetch') toLikely();
  };
  return (
    <>
      {one.takingOut === null ? (
        <Choice
          acts={acts}
          more={behindMore(one, acts)}
          next={ajar ? t('occupations.scene.ajar.text') : t('occupations.manage.next')}
          button={button}
          item={item}
        />
      ) : (
        <TakingOut one={one} />
      )}
      {error !== null && (
        <div style={{ marginTop: 16 }}>
          <ProblemNote error={error} />
        </div>
      )}
      {question}
      {overtaken && <Overtaken tag={one.doorTag} onTold={setAsking} />}
      {asking !== null && isConfirmed(asking) && !overtaken && (
        <ConfirmDialog
          opened
          title={`${t(`occupations.manage.action.${asking}`)}: ${one.doorTag}`}
          action={isOpening(asking) ? t('occupations.act.open', { tag: one.doorTag }) : t(`occupations.manage.action.${asking}`)}
          // What was taken is taken: saying so loses nothing, and is one Enter away, as a door is that was named.
          destructive={asking !== 'finnish' && asking !== 'finnishStorage' && !isOpening(asking)}
          // Where it is belongs to its name.
          blocked={isOpening(asking) && (pending || away || (asking === 'claim' && whoPaid.blocked))}
          onConfirm={() => void run(asking)}
          onClose={close}
        >
          {isOpening(asking) && away
            ? `${t('occupations.scene.offline.title')}. ${t('occupations.scene.offline.text', { tag: place })}`
            : t(`occupations.manage.confirm.${asking}`, { tag: one.doorTag, place, name: whoPaid.name ?? one.receiver?.name ?? content })}
          {isOpening(asking) ? asking === 'claim' && whoPaid.field : <StandsOpen one={one} />}
        </ConfirmDialog>
      )}
      {asking === 'openAnyway' && (
        <ReasonDialog
          title={t('occupations.manage.openDoor', { tag: one.doorTag })}
          text={t('occupations.manage.openReason')}
          label={t('occupations.byHand.reason')}
          placeholder=""
          needed={t('occupations.byHand.needed')}
          action={t('occupations.manage.openDoor', { tag: one.doorTag })}
          onConfirm={(reason) => void run('openAnyway', reason)}
          onClose={close}
        />
      )}
      {asking !== null && <Asking act={asking} one={one} onMoved={(to) => void run('open', undefined, to)} onClose={close} />}
    </>
  );
};

/** What was asked has been settled behind the question, by the clock or by somebody else: it closes, and that is said. */
const Overtaken = ({ tag, onTold }: { tag: string; onTold: (asking: null) => void }) => {
  const { t } = useTranslation();
  useEffect(() => {
    toast.warn(t('occupations.manage.settledMeanwhile', { tag }));
    onTold(null);
    toLikely();
  }, [t, tag, onTold]);
  return null;
};

/** The button that was pressed may be gone: the next likely one is where the hand is. */
const toLikely = () =>
  requestAnimationFrame(() => {
    if (isFocusFree()) document.querySelector<HTMLElement>('[data-likely]')?.focus();
  });

/** Done here; the others have a dialog that does them. */
type Done = Exclude<Act, Asked> | 'openAnyway';

/** Those by which staff say that something lies inside. */
const saysInside = (act: Act): boolean => act === 'fill' || act === 'return';

const isSending = (act: Act): boolean => act === 'send' || act === 'sendAgain' || act === 'sendLink';
