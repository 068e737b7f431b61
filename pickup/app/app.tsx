import { lazy, Suspense, useEffect, useState, type MouseEvent } from 'react';
import { EnterPage } from '../pages/enter.tsx';
import { LinkPage } from '../pages/link.tsx';
import { PickupPage } from '../pages/pickup.tsx';
import { SayingPage } from '../pages/saying.tsx';
import { Mark, ThemeIcon } from '../ui/icons.tsx';
import { LanguageContext, useWords, WORDS, type Language } from '../words/words.ts';
import { firstLanguage, keepLanguage, turnTheme } from './choices.ts';
import { beginningAddress, currentStand, leave, type Stand } from './session.ts';

const Shop = lazy(() => import('../pages/shop.tsx'));

const useStand = (): Stand => {
  const [stand, setStand] = useState(currentStand);
  useEffect(() => {
    const move = () => {
      setStand(currentStand());
      // The button that led here is gone: reading goes on at the new page's beginning.
      document.getElementById('main')?.focus();
    };
    addEventListener('popstate', move);
    return () => removeEventListener('popstate', move);
  }, []);
  return stand;
};

/** In place, unless another tab or window is asked for. */
const begin = (event: MouseEvent) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  leave();
};

export function App() {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const stand = useStand();
  const words = WORDS[language];
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const turnLanguage = () => {
    const other = language === 'en' ? 'nb' : 'en';
    keepLanguage(other);
    setLanguage(other);
  };
  return (
    <LanguageContext value={language}>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="bar">
        <a className="brand" href={beginningAddress()} onClick={begin}>
          <Mark />
          Hatchway
        </a>
        <span className="bar-end">
          <button type="button" className="quiet" lang={language === 'en' ? 'nb' : 'en'} onClick={turnLanguage}>
            {words.language}
          </button>
          <button type="button" className="quiet icon" aria-label={words.theme} title={words.theme} onClick={turnTheme}>
            <ThemeIcon />
          </button>
        </span>
      </header>
      <main id="main" tabIndex={-1}>
        <Page key={stand.page === 'pickup' ? JSON.stringify(stand.key) : stand.page === 'link' ? stand.token : stand.page} stand={stand} />
      </main>
    </LanguageContext>
  );
}

function Page({ stand }: { stand: Stand }) {
  const { words } = useWords();
  switch (stand.page) {
    case 'enter':
      return <EnterPage cabinet={stand.cabinet} />;
    case 'pickup':
      return <PickupPage pickupKey={stand.key} />;
    case 'link':
      return <LinkPage token={stand.token} />;
    case 'shop':
      return (
        <Suspense fallback={<output className="loading">{words.loading}</output>}>
          <Shop name={stand.name} chosen={stand.good} />
        </Suspense>
      );
    case 'unknown':
      return <SayingPage saying="notFound" />;
  }
}
