import { useState, type SubmitEvent } from 'react';
import { api } from '../app/api.ts';
import { goTo } from '../app/session.ts';
import { troubleOf, type Trouble } from '../app/trouble.ts';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { troubleText } from '../ui/trouble-text.ts';
import { useWords } from '../words/words.ts';

/** For whoever lost the page of what they bought. */
export function FindPurchase({ name }: { name: string }) {
  const { words } = useWords();
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
        <Field label={words.shop.find.tlf} type="tel" autoComplete="tel" maxLength={40} value={tlf} onChange={setTlf} />
        <Field label={words.enter.code} inputMode="numeric" autoComplete="off" maxLength={12} value={code} onChange={setCode} />
        <button type="submit" aria-disabled={busy}>
          {busy ? words.enter.checking : words.shop.find.go}
        </button>
      </form>
    </details>
  );
}
