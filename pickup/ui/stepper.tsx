import { useWords } from '../words/words.ts';

type Props = { count: number; most: number; onChange: (count: number) => void };

/** How many pieces, by thumb. */
export function Stepper({ count, most, onChange }: Props) {
  const { words } = useWords();
  return (
    <fieldset className="stepper">
      <legend>{words.take}</legend>
      <button type="button" aria-label={words.fewer} disabled={count <= 1} onClick={() => onChange(count - 1)}>
        −
      </button>
      <output>{count}</output>
      <button type="button" aria-label={words.more} disabled={count >= most} onClick={() => onChange(count + 1)}>
        +
      </button>
    </fieldset>
  );
}
