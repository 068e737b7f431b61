import { Outlet, useRouter } from '@tanstack/react-router';
import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './frame.module.css';
import { TopBar } from './top-bar.tsx';
import { useOwnEndings } from './use-own-endings.ts';
import { loadAllWords } from '../i18n/setup.ts';
import { useElsewhere } from './use-elsewhere.ts';
import { usePaletteKeys } from './use-palette-keys.ts';

const Elsewhere = lazy(async () => (await Promise.all([import('./elsewhere.tsx'), loadAllWords()]))[0]);
const load = async () => (await Promise.all([import('./palette.tsx'), loadAllWords()]))[0];
const Palette = lazy(load);
/** Fetched once the first screen has long been there: a scanner types at once when the palette opens. */
const WARM_UP = 3_000;

type PaletteState = { open: boolean; used: boolean; typed: string; scanned: boolean };

/** The frame around every screen. The palette's code comes when it is first opened. */
export const Frame = () => {
  const { t } = useTranslation();
  const [palette, setPalette] = useState<PaletteState>({ open: false, used: false, typed: '', scanned: false });
  const close = useCallback(() => setPalette((now) => ({ ...now, open: false })), []);
  const open = (scan = ''): void => setPalette({ open: true, used: true, typed: scan, scanned: scan !== '' });
  usePaletteKeys({
    open: palette.open,
    onOpen: open,
    // What is typed before the palette's field stands is not lost.
    onEarly: (key) => setPalette((now) => ({ ...now, typed: now.typed + key })),
  });
  const elsewhere = useElsewhere();
  useScreenFocus();
  useOwnEndings();
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), WARM_UP);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t('frame.skip')}
      </a>
      <TopBar onPalette={() => open()} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {elsewhere && (
          <Suspense fallback={null}>
            <Elsewhere {...elsewhere} />
          </Suspense>
        )}
        {/* what the address names is elsewhere: to say that it does not exist would be wrong */}
        {(elsewhere?.left ?? true) && <Outlet />}
      </main>
      {palette.used && (
        <Suspense fallback={null}>
          <Palette opened={palette.open} typed={palette.typed} scanned={palette.scanned} onClose={close} />
        </Suspense>
      )}
    </div>
  );
};

/**
 * After a navigation the screen's title takes the focus, so that a screen reader says where one is and Tab goes on from there.
 * A screen that has put the focus where one types keeps it there: who opens a service with a parcel in the hand types or scans at once.
 * So does what was opened above a screen that comes late.
 */
const useScreenFocus = (): void => {
  const router = useRouter();
  const wanted = useRef(false);
  useEffect(() => {
    const take = (): void => {
      const title = document.querySelector<HTMLElement>('[data-page-title]');
      if (!wanted.current || !title) return;
      wanted.current = false;
      if (document.activeElement?.matches('#content *, [role=dialog] *')) return;
      title.focus({ preventScroll: true });
    };
    const stopResolved = router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      wanted.current = true;
      requestAnimationFrame(take);
    });
    return stopResolved;
  }, [router]);
};
