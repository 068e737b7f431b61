import { useWords } from '../words/words.ts';

type Props = { count: number; most: number; onChange: (count: number) => void };

/** How many pieces, by thumb. At its end a button stays in reach: disabled, it would drop the focus of whoever pressed it. */
export function Stepper({ count, most, onChange }: Props) {
  const { words } = useWords();
  return (
    <fieldset className="stepper">
      <legend>{words.take}</legend>
      <button type="button" aria-label={words.fewer} aria-disabled={count <= 1} onClick={() => onChange(Math.max(1, count - 1))}>
        −
      </button>
      <output>{count}</output>
      <button type="button" aria-label={words.more} aria-disabled={count >= most} onClick={() => onChange(Math.min(most, count + 1))}>
        +
      </button>
    </fieldset>
  );
}
