import type { Pickup } from '@hatchway/contract/pickup.ts';
import { useId, useState } from 'react';
import type { Act, Followed } from '../app/follower.ts';
import { isCutOff, isPayable, isPulled, wantsPush, type Phase } from '../app/phase.ts';
import { atDoor } from '../ui/at-door.ts';
import { Countdown } from '../ui/countdown.tsx';
import { Notice } from '../ui/notice.tsx';
import { Press } from '../ui/press.tsx';
import { Pay } from './pay.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { CallLink } from '../ui/where.tsx';
import { useWords } from '../words/words.ts';

type Props = { pickup: Pickup; phase: Phase; followed: Followed; act: (act: Act) => void };
/** Whether they were asked if nothing of theirs is left in it. */
type Asked = { sure: boolean; ask: (sure: boolean) => void };

/** What may be done now: one large button, and beside it only what the server allows. */
export function Steps(given: Props) {
  const { words } = useWords();
  // What was asked stays while the door is heard to shut.
  const [sure, ask] = useState(false);
  const props = { ...given, sure, ask };
  const { pickup, phase, followed } = props;
  const said = atDoor(pickup, words);
  const may = (act: Pickup['may'][number]) => pickup.may.includes(act);
  const doorOpen = pickup.door.state === 'opened';
  switch (phase) {
    case 'ready':
      return (
        <div className="steps">
          {pickup.most === null ? <Big {...props} kind="open" text={words.open} /> : <Take {...props} most={pickup.most} />}
          <p className="dim center">{words.standing}</p>
          {doorOpen && <Notice tone="warn">{words.standsOpen}</Notice>}
          {wantsPush(pickup, phase) && <Notice tone="warn">{words.push}</Notice>}
          {pickup.purpose === 'own' && may('done') && <Finish {...props} />}
        </div>
      );
    case 'waiting':
      return may('open') ? (
        <div className="steps">
          <Small {...props} kind="open" text={words.openAgain} />
        </div>
      ) : null;
    case 'open':
      return (
        <div className="steps">
          <Notice tone="info">{isPulled(pickup) ? said.openText : `${words.pulled} ${said.openText}`}</Notice>
          {isCutOff(pickup) && (
            <Notice tone="warn">
              <span>{words.cutOff.text}</span>
              <CallLink tlf={pickup.site.tlf} />
            </Notice>
          )}
          {!doorOpen &&
            may('done') &&
            (pickup.purpose === 'own' ? <Finish {...props} /> : <Small {...props} kind="done" text={said.done} />)}
          {may('put-back') && <Small {...props} kind="put-back" text={words.putBack} />}
          {may('nothing-inside') && <Nothing {...props} />}
        </div>
      );
    case 'asking':
      return (
        <div className="steps">
          {wantsPush(pickup, phase) && <Notice tone="warn">{words.push}</Notice>}
          {pickup.door.state === 'unknown' && <Notice tone="warn">{words.unseen}</Notice>}
          {pickup.stillInside && <Notice tone="warn">{words.stillInside}</Notice>}
          <Done {...props} text={said.done} />
          {may('open') && <Small {...props} kind="open" text={words.openAgain} />}
          {may('put-back') && <Small {...props} kind="put-back" text={words.putBack} />}
          {may('nothing-inside') && <Nothing {...props} />}
          {pickup.finishesAt !== null && (
            <Countdown to={pickup.finishesAt} offset={followed.offset} text={pickup.stillInside ? words.staysIn : words.endsIn} />
          )}
        </div>
      );
    case 'held':
      if (isPayable(pickup)) return <Pay {...props} />;
      return may('done') && pickup.purpose === 'own' ? (
        <div className="steps">
          <Finish {...props} />
        </div>
      ) : null;
    case 'ended':
      return (
        <div className="steps">
          {pickup.ended && !pickup.stillInside && (pickup.purchase === null || pickup.ended.how !== 'cancelled') && (
            <p>{words.ended[pickup.ended.how].text}</p>
          )}
          {pickup.stillInside && <Notice tone="warn">{words.lookAgain.text}</Notice>}
          {doorOpen && <Notice tone="info">{said.openText}</Notice>}
          {wantsPush(pickup, phase) && <Notice tone="warn">{words.push}</Notice>}
          {may('open') && (
            <>
              {pickup.openAgainUntil !== null && <Countdown to={pickup.openAgainUntil} offset={followed.offset} text={words.forgotten} />}
              <Small {...props} kind="open" text={words.openAgain} />
            </>
          )}
        </div>
      );
  }
}

/** What was just borrowed: theirs, and the way to bring it back one press away. */
export function Kept({ pickup, bringBack }: { pickup: Pickup; bringBack: () => void }) {
  const { words } = useWords();
  return (
    <div className="steps">
      {pickup.door.state === 'opened' && <Notice tone="warn">{words.link.openNow}</Notice>}
      {wantsPush(pickup, 'ready') && <Notice tone="warn">{words.push}</Notice>}
      <p>{words.kept.text}</p>
      <button type="button" onClick={bringBack}>
        {words.offers.bringBack}
      </button>
    </div>
  );
}

type Word = Pick<Props, 'followed' | 'act'> & { kind: 'open' | 'done' | 'put-back'; text: string };

function Big({ followed, act, kind, text }: Word) {
  const { words } = useWords();
  const mine = followed.busy === kind;
  return (
    <Press className="primary big" busy={followed.busy !== null} press={() => act({ kind })}>
      {mine ? (kind === 'open' ? words.opening : words.sure) : text}
      {mine && <span className="busy" aria-hidden="true" />}
    </Press>
  );
}

function Small({ followed, act, kind, text }: Word) {
  const { words } = useWords();
  const mine = followed.busy === kind;
  return (
    <Press busy={followed.busy !== null} press={() => act({ kind })}>
      {mine ? (kind === 'open' ? words.opening : words.sure) : text}
    </Press>
  );
}

function Nothing({ followed, act }: Pick<Props, 'followed' | 'act'>) {
  const { words } = useWords();
  return (
    <Press busy={followed.busy !== null} press={() => act({ kind: 'report', report: 'nothing-inside' })}>
      {words.nothingInside}
    </Press>
  );
}

/** Of a stock so many are taken as are asked for, and no more than there are. */
function Take({ followed, act, most }: Props & { most: number }) {
  const { words } = useWords();
  const [wish, setWish] = useState(1);
  const count = Math.min(wish, most);
  return (
    <>
      <Stepper count={count} most={most} onChange={setWish} />
      <Press className="primary" busy={followed.busy !== null} press={() => act({ kind: 'open', quantity: count })}>
        {followed.busy === 'open' ? words.opening : words.open}
      </Press>
    </>
  );
}

/** The answer to what is asked after the door was shut. To give a storage locker back is asked twice. */
function Done(props: Props & Asked & { text: string }) {
  switch (props.pickup.purpose) {
    case 'bring-back':
      return <BroughtBack {...props} />;
    case 'own':
      return <Finish {...props} />;
    default:
      return <Big {...props} kind="done" />;
  }
}

/** What was borrowed comes back with a word on how it is, if there is one to say. */
function BroughtBack({ followed, act, text }: Props & { text: string }) {
  const { words } = useWords();
  const [condition, setCondition] = useState('');
  const id = useId();
  return (
    <>
      <p className="field">
        <label htmlFor={id}>{words.condition}</label>
        <textarea id={id} rows={2} maxLength={500} value={condition} onChange={(event) => setCondition(event.target.value)} />
      </p>
      <Press className="primary big" busy={followed.busy !== null} press={() => act({ kind: 'done', condition })}>
        {followed.busy === 'done' ? words.sure : text}
      </Press>
    </>
  );
}

/** Giving a storage locker back is asked twice: afterwards it is somebody else's. */
function Finish({ followed, act, sure, ask }: Pick<Props, 'followed' | 'act'> & Asked) {
  const { words } = useWords();
  return (
    <div className={sure ? 'sure' : 'steps'}>
      {sure && (
        <>
          <p role="alert">{words.finishSure.text}</p>
          <Press busy={followed.busy !== null} press={() => act({ kind: 'done' })}>
            {followed.busy === 'done' ? words.sure : words.finishSure.yes}
          </Press>
        </>
      )}
      {/* One button that stays and keeps the focus of whoever pressed it; pressed twice, it has given nothing back. */}
      <button type="button" className={sure ? 'quiet' : undefined} onClick={() => ask(!sure)}>
        {sure ? words.finishSure.no : words.finish}
      </button>
    </div>
  );
}
