import type { Good, Shop } from '@hatchway/contract/shop.ts';
import { hoursLine } from '@hatchway/domain/hours.ts';
import { useEffect, useState } from 'react';
import { api } from '../app/api.ts';
import { goTo } from '../app/session.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { money } from '../app/when.ts';
import { Company } from '../ui/company.tsx';
import { Field } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Notice } from '../ui/notice.tsx';
import { troubleText } from '../ui/trouble-text.ts';
import { Unread } from '../ui/unread.tsx';
import { useWords } from '../words/words.ts';
import { SayingPage } from './saying.tsx';
import { FindPurchase } from './shop-find.tsx';
import { GoodOnSale, Picture, Stock } from './shop-good.tsx';

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
  if (shop === null) return <Unread trouble={trouble && troubleText(trouble, words)} look={look} />;
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
      {good === undefined ? <Goods shop={shop} /> : <GoodOnSale key={good.id} shop={shop} good={good} look={look} />}
      {good === undefined && <FindPurchase name={name} />}
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
  const [find, setFind] = useState('');
  if (shop.state === 'closed') return null;
  if (shop.goods.length === 0) return <p>{words.shop.nothing}</p>;
  const asked = find.toLowerCase().split(/\s+/);
  const shown = shop.goods.filter((good) => asked.every((word) => `${good.name} ${good.doorTag}`.toLowerCase().includes(word)));
  return (
    <>
      {shop.goods.length >= SEARCHED_FROM && <Field label={words.shop.search} type="search" value={find} onChange={setFind} />}
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
