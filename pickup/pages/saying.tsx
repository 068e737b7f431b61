import { beginning, goTo } from '../app/session.ts';
import { useWords } from '../words/words.ts';

/** A page that only says something, and where to go from there. */
export function SayingPage({ saying }: { saying: 'ended' | 'gone' | 'notFound' | 'noShop' }) {
  const { words } = useWords();
  const { title, text } = saying === 'ended' ? words.linkEnded : words[saying];
  return (
    <div className="sheet narrow">
      <title>{`${title} – Hatchway`}</title>
      <h1>{title}</h1>
      <p>{text}</p>
      <button type="button" className="primary" onClick={() => goTo(beginning())}>
        {saying === 'ended' ? words.leave.finish : words.gone.toCode}
      </button>
    </div>
  );
}
