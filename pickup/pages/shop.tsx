import { ApiError } from '@hatchway/contract/client.ts';
import type { Good, Shop } from '@hatchway/contract/shop.ts';
import { hoursLine } from '@hatchway/domain/hours.ts';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../app/api.ts';
import { goTo } from '../app/session.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { money } from '../app/when.ts';
import { CabinetDrawing } from '../ui/cabinet.tsx';
import { Company } from '../ui/company.tsx';
import { Heading } from '../ui/heading.tsx';
import { isPhone } from '../ui/is-phone.ts';
import { Notice } from '../ui/notice.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { troubleText } from '../ui/trouble-text.ts';
import { Opening } from '../ui/where.tsx';
import { useWords } from '../words/words.ts';
import { SayingPage } from './saying.tsx';

/** Others buy meanwhile. */
const LOOK_EVERY_MS = 5_000;
/** So few are seen at one glance. */
const SEARCHED_FROM = 7;

type Looked = { shop: Shop | null; trouble: Trouble | null };

function useShop(name: string): Looked & { look: () => void } {
  const [looked, setLooked] = useState<Looked>({ shop: null, trouble: null });
  const [turn, setTurn] = useState(0);
  const rev = looked.shop?.rev;
  useEffect(() => {
    const stop = new AbortController();
    const look = () =>
      api('GET /shop/{name}', { params: { name }, query: rev === undefined ? {} : { rev }, signal: stop.signal }).then(
        (shop) => setLooked((before) => ({ shop: shop ?? before.shop, trouble: null })),
        (error: unknown) => stop.signal.aborted || setLooked((before) => ({ ...before, trouble: troubleOf(error) })),
      );
    if (rev === undefined || turn > 0) void look();
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), LOOK_EVERY_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [name, rev, turn]);
  return { ...looked, look: () => setTurn(turn + 1) };
}

/** A company's shop: what is for sale in its lockers now, and the way to buy it. */
export default function ShopPage({ name, chosen }: { name: string; chosen: string | null }) {
  const { words } = useWords();
  const { shop, trouble, look } = useShop(name);
  if (shop === null && trouble?.kind === 'refused') return <SayingPage saying="noShop" />;
  if (shop === null)
    return (
      <div className="sheet narrow">
        <title>Hatchway</title>
        {trouble === null ? (
          <output className="loading">{words.loading}</output>
        ) : (
          <>
            <Notice tone="warn">{troubleText(trouble, words)}</Notice>
            <button type="button" onClick={look}>
              {words.trouble.retry}
            </button>
          </>
        )}
      </div>
    );
  const good = shop.goods.find(({ id }) => id === chosen);
  return (
    <div className="sheet shop">
      <title>{`${good?.name ?? shop.company.name} – Hatchway`}</title>
      <Company company={shop.company} logo={`/v1/shop/${name}/logo`}>
        {good === undefined ? <Heading says={shop.company.name}>{shop.company.name}</Heading> : undefined}
      </Company>
      {trouble !== null && <Notice tone="warn">{troubleText(trouble, words)}</Notice>}
      <Closed shop={shop} />
      {chosen !== null && good === undefined && shop.state !== 'closed' && <Notice tone="warn">{words.shop.gone}</Notice>}
      {good === undefined ? <Goods shop={shop} /> : <One key={good.id} shop={shop} good={good} look={look} />}
      {good === undefined && <Find name={name} />}
    </div>
  );
}

/** Why nothing can be bought now, and when it can. */
function Closed({ shop }: { shop: Shop }) {
  const { words, locale } = useWords();
  if (shop.state === 'open') return null;
  return (
    <Notice tone="warn" title={words.shop.states[shop.state].title}>
      <span>{words.shop.states[shop.state].text}</span>
      {shop.state === 'outside-hours' && <span>{hoursLine(shop.hours, locale)}</span>}
    </Notice>
  );
}

function Goods({ shop }: { shop: Shop }) {
  const { words } = useWords();
  const id = useId();
  const [find, setFind] = useState('');
  if (shop.state === 'closed') return null;
  if (shop.goods.length === 0) return <p>{words.shop.nothing}</p>;
  const asked = find.toLowerCase().split(/\s+/);
  const shown = shop.goods.filter((good) => asked.every((word) => `${good.name} ${good.doorTag}`.toLowerCase().includes(word)));
  return (
    <>
      {shop.goods.length >= SEARCHED_FROM && (
        <p className="field">
          <label htmlFor={id}>{words.shop.search}</label>
          <input id={id} type="search" value={find} onChange={(event) => setFind(event.target.value)} />
        </p>
      )}
      {shown.length === 0 ? (
        <output>{words.shop.noneFound}</output>
      ) : (
        <ul className="goods" aria-label={words.shop.goods}>
          {shown.map((good) => (
            <li key={good.id}>
              <GoodCard shop={shop} good={good} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function GoodCard({ shop, good }: { shop: Shop; good: Good }) {
  const { words, locale } = useWords();
  const address = `/shop/${shop.name}/${good.id}`;
  return (
    <a
      className="good"
      href={address}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        goTo({ page: 'shop', name: shop.name, good: good.id });
      }}
    >
      <Picture shop={shop} good={good} />
      <strong>{good.name === '' ? words.shop.nameless(good.doorTag) : good.name}</strong>
      <span className="price">{money(good.price, locale)}</span>
      <Stock good={good} />
    </a>
  );
}

function Picture({ shop, good }: { shop: Shop; good: Good }) {
  return good.hasImage ? (
    <img src={`/v1/shop/${shop.name}/goods/${good.id}/image`} alt="" loading="lazy" />
  ) : (
    <span className="no-picture" aria-hidden="true" />
  );
}

function Stock({ good }: { good: Good }) {
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
function One({ shop, good, look }: { shop: Shop; good: Good; look: () => void }) {
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
      goTo({ page: 'pickup', key: { purchase: bought.purchase } });
      const approveUrl = bought.pickup.payment?.approveUrl ?? null;
      if (approveUrl !== null && isPhone()) location.assign(approveUrl);
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
        {trouble && wrong === null && (
          <Notice tone="bad">
            {trouble.kind === 'refused' && trouble.code === null ? words.shop.notPossible : troubleText(trouble, words)}
          </Notice>
        )}
        {sells && (
          <>
            {good.left > 1 && <Stepper count={count} most={good.left} onChange={setWish} />}
            <p id={`${id}-reach`} className="dim">
              {words.shop.reach}
            </p>
            <p className="field">
              <label htmlFor={`${id}-tlf`}>{words.shop.tlf}</label>
              <input
                ref={reach}
                id={`${id}-tlf`}
                type="tel"
                autoComplete="tel"
                maxLength={40}
                value={tlf}
                aria-invalid={wrong === 'tlf' || wrong === 'needed'}
                aria-describedby={wrong === 'tlf' || wrong === 'needed' ? `${id}-wrong` : `${id}-reach`}
                onChange={(event) => setTlf(event.target.value)}
              />
              {(wrong === 'tlf' || wrong === 'needed') && (
                <span id={`${id}-wrong`} className="wrong" role="alert">
                  {wrong === 'tlf' ? words.shop.wrongTlf : words.shop.reachNeeded}
                </span>
              )}
            </p>
            <p className="field">
              <label htmlFor={`${id}-email`}>{words.shop.email}</label>
              <input
                id={`${id}-email`}
                type="email"
                autoComplete="email"
                maxLength={200}
                value={email}
                aria-invalid={wrong === 'email'}
                aria-describedby={wrong === 'email' ? `${id}-wrong` : `${id}-reach`}
                onChange={(event) => setEmail(event.target.value)}
              />
              {wrong === 'email' && (
                <span id={`${id}-wrong`} className="wrong" role="alert">
                  {words.shop.wrongEmail}
                </span>
              )}
            </p>
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

/** For whoever lost the page of what they bought. */
function Find({ name }: { name: string }) {
  const { words } = useWords();
  const id = useId();
  const [tlf, setTlf] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || tlf.trim() === '' || code.trim() === '') return;
    setBusy(true);
    setTrouble(null);
    try {
      const { purchase } = await api('POST /shop/{name}/find', { params: { name }, body: { tlf, code } });
      goTo({ page: 'pickup', key: { purchase } });
    } catch (error) {
      setTrouble(troubleOf(error));
      setBusy(false);
    }
  };
  return (
    <details className="find">
      <summary>{words.shop.find.title}</summary>
      <form onSubmit={(event) => void find(event)} noValidate>
        <p className="dim">{words.shop.find.lead}</p>
        {trouble && <Notice tone="bad">{trouble.kind === 'code' ? words.shop.find.wrong : troubleText(trouble, words)}</Notice>}
        <p className="field">
          <label htmlFor={`${id}-tlf`}>{words.shop.find.tlf}</label>
          <input
            id={`${id}-tlf`}
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={tlf}
            onChange={(event) => setTlf(event.target.value)}
          />
        </p>
        <p className="field">
          <label htmlFor={`${id}-code`}>{words.enter.code}</label>
          <input
            id={`${id}-code`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </p>
        <button type="submit" aria-disabled={busy}>
          {busy ? words.enter.checking : words.shop.find.go}
        </button>
      </form>
    </details>
  );
}
