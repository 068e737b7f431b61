import { ApiError } from '@hatchway/contract/client.ts';
import type { Offer } from '@hatchway/contract/offers.ts';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { signedApi } from '../app/api.ts';
import { goPay } from '../app/go-pay.ts';
import { newKey } from '../app/line.ts';
import type { SignedIn } from '../app/sign-in.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { money } from '../app/when.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { boughtText } from '../ui/trouble-text.ts';
import { useWords } from '../words/words.ts';

type Props = {
  offer: Offer & { price: NonNullable<Offer['price']> };
  facts: string;
  person: SignedIn;
  /** The number of their account. */
  tlf: string | null;
  look: () => void;
  leave: () => void;
};

/** What was chosen and costs something: what is due and why, and the press that pays it. */
export function OfferPay({ offer, facts, person, tlf, look, leave }: Props) {
  const { words, locale } = useWords();
  const id = useId();
  const [wish, setWish] = useState(1);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [wrong, setWrong] = useState(false);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  const { type, content, most, price, hold } = offer;
  const count = most === null ? 1 : Math.min(wish, most);
  const sum = { amount: price.amount * count, currency: price.currency };
  const pay = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || hold !== null) return;
    setBusy(true);
    setTrouble(null);
    setWrong(false);
    try {
      const body = { id: offer.occupationId, quantity: count, ...sum, ...(typed.trim() === '' ? {} : { tlf: typed }) };
      goPay(await signedApi(person)('POST /pickup/take/pay', { body, idempotencyKey: newKey() }));
    } catch (error) {
      setWrong(error instanceof ApiError && error.problem?.errors?.[0]?.pointer === '/tlf');
      setTrouble(troubleOf(error));
      setBusy(false);
      look();
    }
  };
  return (
    <form onSubmit={(event) => void pay(event)} noValidate aria-labelledby={`${id}-name`}>
      <strong id={`${id}-name`}>{content ?? words.offers.nameless}</strong>
      <span>{facts}</span>
      {most !== null && <Stepper count={count} most={most} onChange={setWish} />}
      <p className="price">{words.offers.toPay(money(sum, locale))}</p>
      <p className="dim">{words.offers.why[type]}</p>
      {tlf === null ? (
        <Field
          label={words.shop.tlf}
          type="tel"
          autoComplete="tel"
          maxLength={40}
          value={typed}
          hint={words.offers.tlf}
          wrong={wrong ? words.shop.wrongTlf : null}
          onChange={setTyped}
        />
      ) : (
        <p className="dim">{words.offers.told(tlf)}</p>
      )}
      {hold !== null && <span className="hatched">{words.offers.hold[hold]}</span>}
      {trouble && !wrong && <Notice tone="bad">{boughtText(trouble, words)}</Notice>}
      {hold === null && (
        <button ref={next} type="submit" className="primary big" aria-disabled={busy} aria-live="polite">
          {busy ? words.pay.asking : words.pay.press(money(sum, locale))}
          {busy && <span className="busy" aria-hidden="true" />}
        </button>
      )}
      <p className="dim center">{words.pay.nothingTaken}</p>
      <button type="button" className="quiet" onClick={leave}>
        {words.offers.notNow}
      </button>
    </form>
  );
}
