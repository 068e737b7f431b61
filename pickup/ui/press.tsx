import { createContext, use, useEffect, useId, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react';
import { isKnown, keepKnown, onKnown } from '../app/choices.ts';
import { useWords } from '../words/words.ts';

/** A program that opens the links of a mail runs scripts and clicks all it finds. None holds a button for so long. */
const HOLD_MS = 1000;

/** The numbers on the cabinets that the page is about, for who cannot hold a button. */
export const CabinetNumbers = createContext<readonly string[]>([]);

type Props = { className?: string | undefined; busy: boolean; press: () => void; children: ReactNode };

/**
 * A button that does something at the door. On a device that nobody was seen at before it is held, or the number on the cabinet is
 * written. What became of a press is said in the button: it stays in place and in focus.
 */
export function Press({ className, busy, press, children }: Props) {
  const { words } = useWords();
  const known = useSyncExternalStore(onKnown, isKnown);
  const [holding, setHolding] = useState(false);
  const [asked, setAsked] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What a finger or key still does after its time was up is no second press.
  const done = useRef(false);
  const id = useId();
  const end = () => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const goOn = () => {
    end();
    keepKnown();
    press();
  };
  const begin = () => {
    end();
    done.current = false;
    if (known || busy) return;
    setHolding(true);
    timer.current = setTimeout(() => {
      done.current = true;
      goOn();
    }, HOLD_MS);
  };
  const click = () => {
    end();
    if (done.current) done.current = false;
    else if (known) press();
    else setAsked(true);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (!known || (event.repeat && done.current)) event.preventDefault();
    if (!event.repeat) begin();
  };
  const keyUp = (event: KeyboardEvent) => {
    if (!holding && !done.current) return;
    event.preventDefault();
    click();
  };
  const main = className?.includes('primary') ?? false;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-disabled={busy}
        aria-live="polite"
        aria-describedby={!known && main ? `${id}-why` : undefined}
        data-hold={known ? undefined : holding ? 'now' : ''}
        onClick={click}
        onPointerDown={(event) => event.button === 0 && begin()}
        onPointerLeave={end}
        onPointerCancel={end}
        onContextMenu={(event) => (holding || done.current) && event.preventDefault()}
        onKeyDown={keyDown}
        onKeyUp={keyUp}
        onBlur={end}
      >
        {children}
      </button>
      {!known && main && (
        <p className="dim center" id={`${id}-why`}>
          {words.first.text}
        </p>
      )}
      {!known && asked && <CabinetNumber goOn={goOn} />}
    </>
  );
}

/** Pressed, and not held: by who listens to the page, whose hand trembles, or who did not read. */
function CabinetNumber({ goOn }: { goOn: () => void }) {
  const { words } = useWords();
  const numbers = use(CabinetNumbers);
  const [written, setWritten] = useState('');
  const [wrong, setWrong] = useState(false);
  const id = useId();
  const check = () => {
    const number = written.trim();
    if (numbers.includes(number)) goOn();
    else setWrong(true);
  };
  return (
    <div className="field">
      <p role="alert">{words.first.short}</p>
      <label htmlFor={id}>{words.first.number}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        value={written}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => setWritten(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          check();
        }}
      />
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {words.first.wrong}
        </p>
      )}
      <button type="button" onClick={check}>
        {words.first.go}
      </button>
    </div>
  );
}
