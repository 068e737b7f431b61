import type { ReportKind } from '@hatchway/contract/pickup.ts';
import { useId, useState } from 'react';
import { useWords } from '../words/words.ts';
import { Press } from './press.tsx';

type Props = { kinds: ReportKind[]; filling: boolean; busy: boolean; send: (kind: ReportKind, note: string) => void };

export function Report({ kinds, filling, busy, send }: Props) {
  const { words } = useWords();
  const [kind, setKind] = useState<ReportKind | null>(null);
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const id = useId();
  if (kinds.length === 0) return null;
  const chosen = kind !== null && kinds.includes(kind) ? kind : null;
  const submit = () => {
    if (chosen === null) return setAsked(true);
    setAsked(false);
    setNote('');
    return send(chosen, note);
  };
  return (
    <details className="report">
      <summary>{words.report.title}</summary>
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <fieldset aria-describedby={asked ? `${id}-choose` : undefined}>
          <legend className="sr">{words.report.title}</legend>
          {kinds.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name={id} checked={chosen === one} onChange={() => setKind(one)} />
              {one === 'not-now' && filling ? words.report.notNowIn : words.report.kinds[one]}
            </label>
          ))}
        </fieldset>
        {asked && chosen === null && (
          <p className="wrong" id={`${id}-choose`} role="alert">
            {words.report.choose}
          </p>
        )}
        {chosen !== null && chosen !== 'not-now' && (
          <p className="field">
            <label htmlFor={`${id}-note`}>{words.report.note}</label>
            <textarea id={`${id}-note`} rows={2} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
          </p>
        )}
        <Press busy={busy} press={submit}>
          {busy ? words.sure : words.report.send}
        </Press>
      </form>
    </details>
  );
}
