import type { Pickup, PickupKey } from '@hatchway/contract/pickup.ts';
import { useState } from 'react';
import type { Followed, Follower } from '../app/follower.ts';
import {
  codeHelps,
  doorPlace,
  failedOpening,
  fills,
  isBeingPaid,
  isCutOff,
  isPayable,
  phaseOf,
  reportsOf,
  type Phase,
} from '../app/phase.ts';
import { goTo, leave } from '../app/session.ts';
import { useForgetting } from '../app/use-forgetting.ts';
import { useFollower } from '../app/use-follower.ts';
import { useNow } from '../app/use-now.ts';
import { deadline, moment, money } from '../app/when.ts';
import { atDoor } from '../ui/at-door.ts';
import { CabinetDrawing } from '../ui/cabinet.tsx';
import { Company, logoAt } from '../ui/company.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Heading } from '../ui/heading.tsx';
import { Notice } from '../ui/notice.tsx';
import { CabinetNumbers } from '../ui/press.tsx';
import { Report } from '../ui/report.tsx';
import { lostText, troubleText } from '../ui/trouble-text.ts';
import { Unread } from '../ui/unread.tsx';
import { CallLink, Where } from '../ui/where.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/words.ts';
import { Kept, Steps } from './steps.tsx';
import { SayingPage } from './saying.tsx';

export function PickupPage({ pickupKey }: { pickupKey: PickupKey }) {
  const { words } = useWords();
  const [followed, follower] = useFollower(pickupKey);
  const { pickup, gone, lost } = followed;
  if (gone !== null) return <SayingPage saying={gone} />;
  if (pickup !== null) return <Sheet pickup={pickup} followed={followed} follower={follower} />;
  return <Unread trouble={lost && lostText(lost, words)} look={follower.look} />;
}

function titleOf(pickup: Pickup, phase: Phase, words: Words): string {
  const own = words.purpose[pickup.purpose];
  if (phase === 'ended' && pickup.stillInside) return words.lookAgain.title;
  if (phase === 'ended' && pickup.purchase !== null && pickup.ended?.how === 'cancelled')
    return pickup.payment?.stayedShut ? words.pay.didNotOpen : words.pay[pickup.purpose === 'borrow' ? 'nothingBorrowed' : 'nothingBought'];
  if (phase === 'ended' && pickup.ended) return words.ended[pickup.ended.how].title;
  if (phase === 'held' && isPayable(pickup)) return words.pay.title;
  if (phase === 'held') return words.hold[pickup.hold ?? 'not-ready'].title;
  if (phase === 'open') return isCutOff(pickup) ? words.cutOff.title : own.open;
  if (phase === 'waiting') return words.opening;
  return phase === 'asking' ? atDoor(pickup, words).ask : own.ready;
}

function Sheet({ pickup, followed, follower }: { pickup: Pickup; followed: Followed; follower: Follower }) {
  const { words } = useWords();
  const known = phaseOf(pickup);
  // While the own press is under way, its button stays where it is and says so.
  const phase = followed.busy === 'open' && (known === 'waiting' || known === 'held') ? 'ready' : known;
  // Who borrows it here and now is told that they have it, before how to bring it back; who comes with a loan comes to bring it back.
  const [returns, setReturns] = useState(pickup.purpose === 'bring-back');
  const kept = pickup.purpose === 'bring-back' && phase === 'ready' && !returns;
  const title = kept ? words.kept.title : titleOf(pickup, phase, words);
  const now = useNow(followed.offset, 30_000);
  return (
    <div className="sheet">
      <title>{`${title} – Hatchway`}</title>
      <Company company={pickup.company} logo={logoAt(pickup.cabinet.number)} />
      <CabinetNumbers value={[pickup.cabinet.number]}>
        <div className="work">
          <div>
            <Heading says={title}>{title}</Heading>
            <About pickup={pickup} now={now} />
          </div>
          <Which pickup={pickup} />
          <News followed={followed} pickup={pickup} phase={phase} follower={follower} />
          {kept ? (
            <Kept pickup={pickup} bringBack={() => setReturns(true)} />
          ) : (
            <Steps pickup={pickup} phase={phase} followed={followed} act={(act) => void follower.act(act)} />
          )}
          <Report
            key={phase}
            kinds={reportsOf(pickup)}
            filling={fills(pickup)}
            busy={followed.busy === 'report'}
            send={(report, note) => void follower.act({ kind: 'report', report, note })}
          />
          <Purchase pickup={pickup} phase={phase} />
          <WayOut pickup={pickup} phase={phase} followed={followed} follower={follower} />
        </div>
      </CabinetNumbers>
      <div className="beside">
        <CabinetDrawing cabinet={pickup.cabinet} door={pickup.door} />
        <Where cabinet={pickup.cabinet} site={pickup.site} />
      </div>
    </div>
  );
}

/** What was bought: how it is found again while it is to be fetched, and the way back to where more is sold. */
function Purchase({ pickup: { purchase, payment, site }, phase }: { pickup: Pickup; phase: Phase }) {
  const { words } = useWords();
  if (purchase === null || phase === 'open' || phase === 'waiting') return null;
  const { shop, code } = purchase;
  return (
    <div className="steps">
      {phase === 'ended' && payment?.state === 'cancelled' && (
        <Notice tone="warn">
          <span>
            {payment.stayedShut
              ? words.pay.stayedShutBought
              : payment.tooLate
                ? words.pay.tooLateBought
                : payment.approved
                  ? words.pay.givenBackBought
                  : words.pay.notApprovedBought}
          </span>
          {payment.stayedShut && <CallLink tlf={site.tlf} />}
        </Notice>
      )}
      {phase !== 'ended' && code !== null && <p className="dim">{words.shop.code(code)}</p>}
      {shop !== null && (phase === 'ended' || phase === 'held') && (
        <button type="button" className="quiet" onClick={() => goTo({ page: 'shop', name: shop, good: null })}>
          {words.shop.back}
        </button>
      )}
    </div>
  );
}

/** Away from here, for whoever comes next. Who stands at an open door has that to see to first. */
function WayOut({ pickup, phase, followed, follower }: { pickup: Pickup; phase: Phase; followed: Followed; follower: Follower }) {
  const { words } = useWords();
  const doorOpen = pickup.door.state === 'opened';
  const unpaid = isBeingPaid(pickup);
  const out = async () => {
    // Nobody is left with a request on their phone for what they walked away from; where that cannot be said, the page stays and says why.
    if (unpaid) await follower.act({ kind: 'give-up' });
    if (follower.get().trouble === null) leave();
  };
  const over = phase === 'ended' && !doorOpen;
  // Whoever is at a door, or asked what came of it, is still there.
  const forgottenAt = useForgetting((over || phase === 'ready' || phase === 'held') && !doorOpen);
  if (doorOpen || phase === 'open' || phase === 'waiting') return null;
  return (
    <div className="steps">
      <button type="button" className={over ? undefined : 'quiet'} aria-disabled={followed.busy !== null} onClick={() => void out()}>
        {unpaid ? words.leave.unpaid : codeHelps(phase) ? words.leave.anotherCode : words.leave.finish}
      </button>
      {forgottenAt !== null && <Countdown to={forgottenAt} offset={0} text={words.leave.forgets} />}
    </div>
  );
}

/** The door as it is engraved, and where on which cabinet one finds it: before the button, not under it. */
function Which({ pickup }: { pickup: Pickup }) {
  const { words } = useWords();
  const place = doorPlace(pickup.cabinet.columns);
  return (
    <div className="which">
      <p className="doortag">
        <span className="sr">{words.locker(pickup.door.doorTag)}</span>
        <span aria-hidden="true">{pickup.door.doorTag}</span>
      </p>
      <p>
        <strong>{words.enter.atCabinet(pickup.cabinet.number)}</strong>
        {place !== null && <span className="dim">{words.place(place.column, place.columns, place.row)}</span>}
      </p>
    </div>
  );
}

/** What lies there, how much, for what price and until when. */
function About({ pickup, now }: { pickup: Pickup; now: number }) {
  const { words, locale } = useWords();
  // What is put in here goes to the company, and what is stored is its owner's own; all else comes from the company.
  const [named, nameless] =
    pickup.purpose === 'put-in'
      ? [words.contentTo, words.nothingNamedTo]
      : pickup.purpose === 'own'
        ? [words.contentAt, words.nothingNamedAt]
        : [words.contentFrom, words.nothingNamed];
  const what = pickup.content === null ? nameless(pickup.company.name) : named(pickup.content, pickup.company.name);
  const more = [
    pickup.quantity !== null && pickup.quantity > 1 ? words.quantity(pickup.quantity) : null,
    // What they pay for all of it, once they have begun to.
    pickup.payment !== null && pickup.payment.state !== 'cancelled'
      ? money(pickup.payment, locale)
      : pickup.price === null
        ? null
        : money(pickup.price, locale),
  ].filter((part) => part !== null);
  const out = pickup.purpose === 'bring-back';
  const until = pickup.overdue ? (out ? words.lateBack : words.overdue) : out ? words.offers.due : words.until;
  const when = pickup.until === null ? '' : until(deadline(pickup.until, now, locale, pickup.company.timeZone));
  return (
    <div className="about">
      <p>{[what, ...more].join(' · ')}</p>
      {pickup.until !== null && pickup.ended === null && (
        <p className={pickup.overdue ? 'late' : 'dim'}>{pickup.untilClosed && !pickup.overdue ? words.closedThen(when) : when}</p>
      )}
    </div>
  );
}

/** The line, the last press, the last opening: whatever there is to say, the gravest first and only one of a kind. */
function News({ followed, pickup, phase, follower }: { followed: Followed; pickup: Pickup; phase: Phase; follower: Follower }) {
  const { words, locale } = useWords();
  const { lost, trouble, unsure, reported, busy, offset } = followed;
  const now = useNow(offset, 5000);
  const failed = busy === 'open' || phase === 'open' || phase === 'asking' ? null : failedOpening(pickup, now);
  const held = phase === 'held' && !isPayable(pickup) ? words.hold[pickup.hold ?? 'not-ready'] : null;
  const settled = phase === 'open' || (unsure && (phase === 'asking' || phase === 'waiting' || failed !== null));
  const refused = pickup.hold !== null && trouble?.kind === 'refused' && trouble.code === pickup.hold;
  return (
    <>
      {lost && (
        <Notice tone="warn">
          {lostText(lost, words)}{' '}
          <button type="button" className="inline" onClick={follower.look}>
            {words.trouble.retry}
          </button>
        </Notice>
      )}
      {trouble && !refused && !settled && <Notice tone="bad">{unsure ? words.trouble.unsure : troubleText(trouble, words)}</Notice>}
      {held && (
        <Notice tone="warn">
          <span>{held.text}</span>
          <CallLink tlf={pickup.site.tlf} />
        </Notice>
      )}
      {pickup.openedUnasked !== null && phase !== 'ended' && (
        <Notice tone="warn">{words.openedUnasked(moment(pickup.openedUnasked, now, locale))}</Notice>
      )}
      {failed && !held && (
        <Notice tone="bad" title={words.failed[failed].title}>
          <span>{words.failed[failed].text}</span>
          <CallLink tlf={pickup.site.tlf} />
        </Notice>
      )}
      {reported && (
        <Notice tone="ok">
          {reported === 'not-now'
            ? fills(pickup)
              ? words.report.notNowInSent
              : words.report.notNow
            : reported === 'not-empty' && phase === 'ready'
              ? words.instead(pickup.door.doorTag)
              : words.report.sent}
        </Notice>
      )}
    </>
  );
}
