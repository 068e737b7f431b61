import type { Pickup } from '@hatchway/contract/pickup.ts';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { Act, Followed } from '../app/follower.ts';
import { money } from '../app/when.ts';
import { isPhone } from '../ui/is-phone.ts';
import { Notice } from '../ui/notice.tsx';
import type { Words } from '../words/en.ts';
import { Press } from '../ui/press.tsx';
import { useWords } from '../words/words.ts';

type Props = { pickup: Pickup; followed: Followed; act: (act: Act) => void };

const Qr = lazy(() => import('../ui/qr.tsx'));

/** Why what was begun came to nothing, before it is asked for anew. */
const cancelledText = ({ approved, stayedShut }: NonNullable<Pickup['payment']>, words: Words): string =>
  stayedShut ? words.pay.stayedShut : approved ? words.pay.givenBack : words.pay.notApproved;

/** What is due and why, and the one press that pays it. While its payer has it before them, the page waits and goes on by itself. */
export function Pay({ pickup, followed, act }: Props) {
  const { words, locale } = useWords();
  const { payment, price } = pickup;
  const pressed = useRef(false);
  const approveUrl = payment?.state === 'initiated' ? payment.approveUrl : null;
  useEffect(() => {
    // Led there by their own press alone: whoever comes back to this page is not sent away again.
    if (approveUrl === null || !pressed.current || !isPhone()) return;
    pressed.current = false;
    location.assign(approveUrl);
  }, [approveUrl]);
  const sum = payment?.state === 'initiated' ? money(payment, locale) : price === null ? '' : money(price, locale);
  if (payment?.state === 'initiated')
    return (
      <div className="steps">
        <Notice tone="info">
          <output>{payment.away ? words.pay.away : approveUrl === null ? words.pay.asking : words.pay.waiting(sum)}</output>
        </Notice>
        {approveUrl !== null && !isPhone() && (
          <Suspense fallback={<output className="loading">{words.loading}</output>}>
            <p className="center">{words.pay.scan}</p>
            <Qr text={approveUrl} label={words.pay.scan} />
          </Suspense>
        )}
        {approveUrl !== null && (
          <a className={isPhone() ? 'button primary big' : 'button'} href={approveUrl}>
            {isPhone() ? words.pay.goOn : words.pay.here}
          </a>
        )}
      </div>
    );
  const press = () => {
    pressed.current = true;
    act({ kind: 'pay' });
  };
  return (
    <div className="steps">
      {payment?.state === 'cancelled' && <Notice tone="warn">{cancelledText(payment, words)}</Notice>}
      <Press className="primary big" busy={followed.busy !== null} press={press}>
        {followed.busy === 'pay' ? words.pay.asking : words.pay.press(sum)}
        {followed.busy === 'pay' && <span className="busy" aria-hidden="true" />}
      </Press>
      <p className="dim center">{pickup.purpose === 'own' ? words.pay.takenAtEnd : words.pay.nothingTaken}</p>
    </div>
  );
}
