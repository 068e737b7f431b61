import type { Offer } from '@hatchway/contract/offers.ts';
import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { signedApi } from '../app/api.ts';
import { goPay } from '../app/go-pay.ts';
import { goTo } from '../app/session.ts';
import { signedIn, signIn, type SignedIn } from '../app/sign-in.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { useNow } from '../app/use-now.ts';
import { deadline, money } from '../app/when.ts';
import { Notice } from '../ui/notice.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { troubleText } from '../ui/trouble-text.ts';
import { useWords } from '../words/words.ts';
import { OfferPay } from './offer-pay.tsx';

/** Others take and bring back meanwhile. */
const LOOK_EVERY_MS = 10_000;

/** Why nobody is signed in: the sign-in was not finished, it is over, or the provider could not be reached. */
type Out = 'away' | 'over' | 'line';

type Props = {
  number: string;
  kinds: PickupCabinet['offers'];
  policy: PickupCabinet['offersPolicy'];
  /** An answer of the sign-in stands in the address. */
  returned: boolean;
};

/** Whoever signs in takes what is offered to their groups. Below the code, since most people who come here have one. */
export default function Offers({ number, kinds, policy, returned }: Props) {
  const { words, locale } = useWords();
  const [person, setPerson] = useState<SignedIn | 'unknown' | null>(returned ? 'unknown' : null);
  const [out, setOut] = useState<Out | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!returned) return undefined;
    let here = true;
    const settle = (who: SignedIn | null, why: Out | null) => {
      if (!here) return;
      setPerson(who);
      setOut(why);
    };
    signedIn(() => settle(null, 'over')).then(
      (who) => settle(who, who === null ? 'away' : null),
      () => settle(null, 'line'),
    );
    return () => {
      here = false;
    };
  }, [returned]);
  const leave = () => {
    setBusy(true);
    setOut(null);
    signIn(locale.slice(0, 2), policy).catch(() => {
      setBusy(false);
      setOut('line');
    });
  };
  // Gloves are taken and a drill is borrowed.
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  const why = { away: words.offers.away, over: words.offers.over, line: words.trouble.lineShort };
  return (
    <section className="offers" aria-labelledby="offers">
      <h2 id="offers">{words.offers.title[kind ?? 'both']}</h2>
      {person === 'unknown' && <output className="loading">{words.loading}</output>}
      {person === null && (
        <>
          {out === null ? <p className="dim">{words.offers.lead}</p> : <Notice tone="warn">{why[out]}</Notice>}
          <button type="button" aria-disabled={busy} onClick={() => busy || leave()}>
            {words.offers.signIn}
          </button>
        </>
      )}
      {person !== null && person !== 'unknown' && <OfferList number={number} person={person} />}
    </section>
  );
}

type Listed = { person: string; tlf: string | null; cabinet: Pick<PickupCabinet, 'company'>; offers: readonly Offer[] };

function useOffers(number: string, person: SignedIn): [Listed | null, Trouble | null, () => void] {
  const [listed, setListed] = useState<Listed | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const look = useCallback(() => {
    signedApi(person)('GET /pickup/cabinets/{number}/offers', { params: { number } }).then(
      (found) => {
        setListed(found);
        setTrouble(null);
      },
      (error: unknown) => setTrouble(troubleOf(error)),
    );
  }, [number, person]);
  useEffect(() => {
    look();
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  return [listed, trouble, look];
}

function OfferList({ number, person }: { number: string; person: SignedIn }) {
  const { words } = useWords();
  const [listed, lost, look] = useOffers(number, person);
  const [taking, setTaking] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const take = async (offer: Offer, quantity: number | null) => {
    const { occupationId: id, price, mine } = offer;
    if (taking !== null) return;
    setTrouble(null);
    if (price !== null && mine === null) return setChosen(id);
    setTaking(id);
    try {
      // Of what they are paying for already the server knows how much and what it costs.
      if (price !== null) return goPay(await signedApi(person)('POST /pickup/take/pay', { body: { id, ...price } }));
      const body = quantity === null ? { id } : { id, quantity };
      const { token } = await signedApi(person)('POST /pickup/take', { body });
      goTo({ page: 'pickup', key: { token } });
    } catch (error) {
      setTrouble(troubleOf(error));
      setTaking(null);
      look();
    }
  };
  const elsewhere = lost?.kind === 'refused' && lost.code === 'not-found';
  const offers = elsewhere ? null : (listed?.offers ?? null);
  return (
    <>
      {lost && <Notice tone="warn">{elsewhere ? words.offers.elsewhere : troubleText(lost, words)}</Notice>}
      {trouble && <Notice tone="bad">{troubleText(trouble, words)}</Notice>}
      {listed === null && lost === null && <output className="loading">{words.loading}</output>}
      {offers?.length === 0 && <p>{words.offers.none}</p>}
      {listed !== null && offers !== null && offers.length > 0 && (
        <ul aria-label={words.offers.list}>
          {offers.map((offer) => (
            <OfferRow
              key={offer.occupationId}
              offer={offer}
              listed={listed}
              person={person}
              taking={taking}
              take={take}
              look={look}
              chosen={chosen === offer.occupationId}
              leave={() => setChosen(null)}
            />
          ))}
        </ul>
      )}
      <p className="dim">
        {listed && words.offers.as(listed.person)}{' '}
        <button type="button" className="quiet inline" onClick={() => void person.signOut()}>
          {words.offers.signOut}
        </button>
      </p>
    </>
  );
}

type RowProps = {
  offer: Offer;
  listed: Listed;
  person: SignedIn;
  taking: string | null;
  take: (offer: Offer, quantity: number | null) => Promise<void>;
  look: () => void;
  /** To be paid for: how much, and why, stands in its place. */
  chosen: boolean;
  leave: () => void;
};

function OfferRow({ offer, listed, person, taking, take, look, chosen, leave }: RowProps) {
  const { words, locale } = useWords();
  const now = useNow(0, 30_000);
  const id = useId();
  const [wish, setWish] = useState(1);
  const choose = useRef<HTMLButtonElement>(null);
  const wasChosen = useRef(false);
  useEffect(() => {
    // Who changed their mind goes on where they were.
    if (wasChosen.current && !chosen) choose.current?.focus();
    wasChosen.current = chosen;
  }, [chosen]);
  const { type, content, doorTag, size, most, loanHours, price, mine, dueAt, hold } = offer;
  const zone = listed.cabinet.company.timeZone;
  const act =
    mine === 'begun' || mine === 'paying' ? words.offers.goOn : mine === 'borrowed' ? words.offers.bringBack : words.offers.take[type];
  const count = most === null ? null : Math.min(wish, most);
  const facts = [
    price === null ? null : isStock(type) ? words.offers.each(money(price, locale)) : money(price, locale),
    words.offers.door(doorTag, size),
    most === null ? null : words.offers.pieces(most),
    mine === null && loanHours !== null ? words.offers.hours(loanHours) : null,
    mine === 'borrowed' && dueAt !== null ? words.offers.due(deadline(dueAt, now, locale, zone)) : null,
  ].filter((fact) => fact !== null);
  if (chosen && price !== null && mine === null)
    return (
      <li className="plate">
        <OfferPay offer={{ ...offer, price }} facts={facts.join(' · ')} person={person} tlf={listed.tlf} look={look} leave={leave} />
      </li>
    );
  return (
    <li className="plate">
      <strong id={`${id}-name`}>{content ?? words.offers.nameless}</strong>
      <span>{facts.join(' · ')}</span>
      {hold !== null && <span className="hatched">{words.offers.hold[hold]}</span>}
      {hold === null && price === null && most !== null && count !== null && <Stepper count={count} most={most} onChange={setWish} />}
      {(hold === null || mine !== null) && (
        <button
          ref={choose}
          type="button"
          className={mine === null ? undefined : 'primary'}
          aria-describedby={`${id}-name`}
          aria-disabled={taking !== null}
          onClick={() => void take(offer, count)}
        >
          {taking === offer.occupationId ? words.offers.taking : act}
        </button>
      )}
    </li>
  );
}
