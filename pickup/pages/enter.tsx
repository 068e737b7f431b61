import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { lazy, Suspense, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../app/api.ts';
import { canScan } from '../app/code-reader.ts';
import { readEntry, type Place } from '../app/place.ts';
import { goTo } from '../app/session.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { Company, logoAt } from '../ui/company.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { troubleText } from '../ui/trouble-text.ts';
import { Where } from '../ui/where.tsx';
import { useWords } from '../words/words.ts';

const Scanner = lazy(() => import('../ui/scanner.tsx'));
const Offers = lazy(() => import('./offers.tsx'));
/** The sign-in answers in the address; read before anything takes it away. */
const returned = /[#&](code|error)=/.test(location.hash);

const follow = (place: Place): void => {
  if (place.page === 'pickup') goTo({ page: 'pickup', key: { token: place.token } });
  else if (place.page === 'purchase') goTo({ page: 'pickup', key: { purchase: place.token } });
  else if (place.page !== 'unknown') goTo(place);
};

type Known = { card: PickupCabinet | null; trouble: Trouble | null };
const UNREAD: Known = { card: null, trouble: null };

/** The public card of the cabinet whose square code was scanned: it tells a person that they stand at the right one. */
function useCabinet(number: string | null): Known & { looking: boolean; lookAgain: () => void } {
  const [look, setLook] = useState(0);
  const [state, setState] = useState<Known & { number: string | null; look: number }>({ ...UNREAD, number, look });
  useEffect(() => {
    if (number === null) return undefined;
    const stop = new AbortController();
    api('GET /pickup/cabinets/{number}', { params: { number }, signal: stop.signal }).then(
      (card) => setState({ number, look, card, trouble: null }),
      (error: unknown) => stop.signal.aborted || setState({ number, look, card: null, trouble: troubleOf(error) }),
    );
    return () => stop.abort();
  }, [number, look]);
  // Whoever goes on to another cabinet keeps the code that they typed, and nothing of the cabinet before.
  return { ...(state.number === number ? state : UNREAD), looking: state.look !== look, lookAgain: () => setLook(look + 1) };
}

export function EnterPage({ cabinet }: { cabinet: string | null }) {
  const { words } = useWords();
  const known = useCabinet(cabinet);
  const [number, setNumber] = useState('');
  const [entry, setEntry] = useState('');
  const [wrong, setWrong] = useState<'cabinet' | 'code' | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [scanning, setScanning] = useState(false);
  const numberField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const isKnown = cabinet !== null && known.trouble?.kind !== 'cabinet';
  const at = isKnown ? cabinet : number.trim();

  /** Where it is mended; what is typed or scanned next takes the place of what was wrong. */
  const mend = (field: 'cabinet' | 'code') => {
    const { current } = field === 'cabinet' ? numberField : codeField;
    current?.focus();
    current?.select();
  };
  const check = async (code: string) => {
    setBusy(true);
    try {
      const key = { code, cabinet: at };
      await api('POST /pickup/look', { body: { key } });
      goTo({ page: 'pickup', key });
    } catch (error) {
      const what = troubleOf(error);
      setTrouble(what);
      mend(what.kind === 'cabinet' && !isKnown ? 'cabinet' : 'code');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readEntry(entry);
    setTrouble(null);
    if (read && 'link' in read) return follow(read.link);
    const missing = at === '' ? 'cabinet' : read === null ? 'code' : null;
    setWrong(missing);
    if (missing !== null || read === null) return mend(missing ?? 'code');
    return void check(read.code);
  };

  return (
    <div className="sheet narrow">
      <title>{`${words.enter.title} – Hatchway`}</title>
      {isKnown && known.card && <Company company={known.card.company} logo={logoAt(known.card.number)} />}
      <h1>{words.enter.title}</h1>
      {isKnown ? (
        <p className="plate">
          <strong>{words.enter.atCabinet(cabinet)}</strong>
          {known.card && (
            <span>
              {known.card.company.name}, {known.card.site.name}
            </span>
          )}
        </p>
      ) : (
        <p className="dim">{words.enter.lead}</p>
      )}
      {known.trouble?.kind === 'cabinet' && <Notice tone="bad" title={words.enter.unknownCabinet} />}
      {known.trouble && isKnown && (
        // A code works all the same; who came to borrow would look for it in vain.
        <Notice tone="warn">
          {troubleText(known.trouble, words)}{' '}
          <button type="button" className="inline" aria-disabled={known.looking} onClick={known.lookAgain}>
            {words.trouble.retry}
          </button>
        </Notice>
      )}
      {trouble && <Notice tone="bad">{troubleText(trouble, words)}</Notice>}
      <form onSubmit={submit} noValidate>
        {!isKnown && (
          <Field
            ref={numberField}
            label={words.enter.cabinet}
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            value={number}
            aria-invalid={wrong === 'cabinet' || trouble?.kind === 'cabinet'}
            wrong={wrong === 'cabinet' ? words.enter.cabinetMissing : null}
            onChange={setNumber}
          />
        )}
        <Field
          ref={codeField}
          label={words.enter.code}
          className="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={300}
          value={entry}
          aria-invalid={wrong === 'code' || trouble?.kind === 'code'}
          wrong={wrong === 'code' ? words.enter.codeMissing : null}
          onChange={setEntry}
        />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? words.enter.checking : words.enter.go}
        </button>
      </form>
      {canScan && !isKnown && !scanning && (
        <button type="button" onClick={() => setScanning(true)}>
          {words.enter.scan}
        </button>
      )}
      {scanning && (
        <Suspense fallback={null}>
          <Scanner read={(text) => readOrStay(text, () => setScanning(false))} stop={() => setScanning(false)} />
        </Suspense>
      )}
      {cabinet !== null && known.card && (known.card.offers.length > 0 || returned) && (
        <Suspense fallback={<output className="loading">{words.loading}</output>}>
          <Offers number={cabinet} kinds={known.card.offers} policy={known.card.offersPolicy} returned={returned} />
        </Suspense>
      )}
      {cabinet !== null && (
        <button type="button" className="quiet" onClick={() => goTo({ page: 'enter', cabinet: null })}>
          {words.enter.otherCabinet}
        </button>
      )}
      {known.card && <Where cabinet={known.card} site={known.card.site} />}
    </div>
  );
}

/** A square code that is none of ours is passed over; the camera goes on looking. */
function readOrStay(text: string, found: () => void): void {
  const read = readEntry(text);
  if (!read || !('link' in read)) return;
  found();
  follow(read.link);
}
