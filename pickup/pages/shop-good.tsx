import { ApiError } from '@hatchway/contract/client.ts';
import type { Good, Shop } from '@hatchway/contract/shop.ts';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../app/api.ts';
import { goPay } from '../app/go-pay.ts';
import { goTo } from '../app/session.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { money } from '../app/when.ts';
import { CabinetDrawing } from '../ui/cabinet.tsx';
import { Field } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Notice } from '../ui/notice.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { boughtText } from '../ui/trouble-text.ts';
import { Opening } from '../ui/where.tsx';
import { useWords } from '../words/words.ts';

/** Of a thing for sale. */
export function Picture({ shop, good }: { shop: Shop; good: Good }) {
  return good.hasImage ? (
    <img src={`/v1/shop/${shop.name}/goods/${good.id}/image`} alt="" loading="lazy" />
  ) : (
    <span className="no-picture" aria-hidden="true" />
  );
}

/** How many there are, or why none can be had now. */
export function Stock({ good }: { good: Good }) {
  const { words } = useWords();
  if (good.hold !== null) return <span className="hatched">{words.shop.holds[good.hold]}</span>;
  return <span className="dim">{words.offers.pieces(good.left)}</span>;
}

/** Which field the server refused; null where it was none of them. */
const fieldOf = (error: unknown): 'tlf' | 'email' | null => {
  const at = error instanceof ApiError ? error.problem?.errors?.[0]?.pointer : undefined;
  return at === '/tlf' ? 'tlf' : at === '/email' ? 'email' : null;
};

/** One thing for sale: what it is, where, how many, and the press that pays. */
export function GoodOnSale({ shop, good, look }: { shop: Shop; good: Good; look: () => void }) {
  const { words, locale } = useWords();
  const id = useId();
  const [wish, setWish] = useState(1);
  const [tlf, setTlf] = useState('');
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [wrong, setWrong] = useState<'tlf' | 'email' | 'needed' | null>(null);
  const reach = useRef<HTMLInputElement>(null);
  const count = Math.max(1, Math.min(wish, good.left));
  const sum = { amount: good.price.amount * count, currency: good.price.currency };
  const sells = shop.state === 'open' && good.hold === null;
  const cabinet = shop.cabinets.find(({ number }) => number === good.cabinet);
  const buy = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setTrouble(null);
    setWrong(null);
    if (tlf.trim() === '' && email.trim() === '') {
      setWrong('needed');
      reach.current?.focus();
      return;
    }
    setBusy(true);
    try {
      const said = { ...(tlf.trim() === '' ? {} : { tlf }), ...(email.trim() === '' ? {} : { email }) };
      const body = { quantity: count, ...sum, ...said };
      const bought = await api('POST /shop/{name}/goods/{id}/buy', { params: { name: shop.name, id: good.id }, body });
      goPay(bought);
    } catch (error) {
      setWrong(fieldOf(error));
      setTrouble(troubleOf(error));
      setBusy(false);
      look();
    }
  };
  return (
    <div className="work-shop">
      <div>
        <Picture shop={shop} good={good} />
      </div>
      <form onSubmit={(event) => void buy(event)} noValidate>
        <Heading says={good.name}>{good.name === '' ? words.shop.nameless(good.doorTag) : good.name}</Heading>
        <p className="price">{money(good.price, locale)}</p>
        <p>
          <Stock good={good} />
        </p>
        {good.buyers > 0 && good.hold === null && good.left <= good.buyers && <Notice tone="warn">{words.shop.buyers}</Notice>}
        {trouble && wrong === null && <Notice tone="bad">{boughtText(trouble, words)}</Notice>}
        {sells && (
          <>
            {good.left > 1 && <Stepper count={count} most={good.left} onChange={setWish} />}
            <p id={`${id}-reach`} className="dim">
              {words.shop.reach}
            </p>
            <Field
              ref={reach}
              label={words.shop.tlf}
              type="tel"
              autoComplete="tel"
              maxLength={40}
              value={tlf}
              aria-describedby={`${id}-reach`}
              wrong={wrong === 'tlf' ? words.shop.wrongTlf : wrong === 'needed' ? words.shop.reachNeeded : null}
              onChange={setTlf}
            />
            <Field
              label={words.shop.email}
              type="email"
              autoComplete="email"
              maxLength={200}
              value={email}
              aria-describedby={`${id}-reach`}
              wrong={wrong === 'email' ? words.shop.wrongEmail : null}
              onChange={setEmail}
            />
            <button type="submit" className="primary big" aria-disabled={busy} aria-live="polite">
              {busy ? words.pay.asking : words.pay.press(money(sum, locale))}
              {busy && <span className="busy" aria-hidden="true" />}
            </button>
            <p className="dim center">{words.pay.nothingTaken}</p>
          </>
        )}
        <button type="button" className="quiet" onClick={() => goTo({ page: 'shop', name: shop.name, good: null })}>
          {words.shop.all}
        </button>
      </form>
      {cabinet && (
        <div className="beside">
          <CabinetDrawing
            cabinet={{
              number: cabinet.number,
              name: cabinet.name,
              connection: good.hold === 'cabinet-offline' ? 'offline' : 'online',
              columns: cabinet.columns.map(({ width, doors }) => ({
                width,
                doors: doors.map(({ height, doorTag }) => ({ height, doorTag, mine: doorTag === good.doorTag })),
              })),
            }}
            door={{ doorTag: good.doorTag, size: '', reach: '', state: 'closed', since: null, lock: 'locked' }}
          />
          <section className="where" aria-labelledby={`${id}-where`}>
            <h2 id={`${id}-where`}>{words.where.title}</h2>
            <p>
              <strong>{cabinet.site.name}</strong>
              <br />
              {cabinet.site.address}
            </p>
            <p>
              {words.where.cabinet(cabinet.number, cabinet.name)}, {words.locker(good.doorTag)}
            </p>
            <Opening site={cabinet.site} />
          </section>
        </div>
      )}
    </div>
  );
}
