import { useWords } from '../words/words.ts';
import { Notice } from './notice.tsx';

/** While nothing is known yet of what the page is about: it is being read, or why it cannot be. */
export function Unread({ trouble, look }: { trouble: string | null; look: () => void }) {
  const { words } = useWords();
  return (
    <div className="sheet narrow">
      <title>Hatchway</title>
      {trouble === null ? (
        <output className="loading">{words.loading}</output>
      ) : (
        <>
          <Notice tone="warn">{trouble}</Notice>
          <button type="button" onClick={look}>
            {words.trouble.retry}
          </button>
        </>
      )}
    </div>
  );
}
