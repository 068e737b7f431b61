const RELOADED = 'reloaded-for-chunk';
/** A second failure this soon after a reload is no old deployment but a real fault, and is shown. */
const ONCE_IN = 60_000;

/**
 * After a deployment the chunks that an open page wants may be gone. Such a page is loaded anew, once, where the server answers:
 * on a line that is down a reload would leave nothing but the browser's own page. Until then, and when it fails again, the error
 * boundary has it. A style sheet that cannot be preloaded raises an error (specification, section 8).
 */
export const watchChunks = (now: () => number = Date.now): void => {
  addEventListener('vite:preloadError', (event) => {
    const error = (event as Event & { payload?: unknown }).payload;
    if (error instanceof Error && /preload CSS/i.test(error.message)) return;
    void answers().then((there) => there && reloadOnce(now()));
  });
};

/** Whether the server is there to load the page from. */
export const answers = (ask: (path: string, init: RequestInit) => Promise<Pick<Response, 'ok'>> = fetch, path = location.pathname) =>
  ask(path, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

export const reloadOnce = (now: number, storage: Storage = sessionStorage, reload: () => void = () => location.reload()): boolean => {
  try {
    if (now - Number(storage.getItem(RELOADED) ?? 0) < ONCE_IN) return false;
    storage.setItem(RELOADED, String(now));
  } catch {
    return false;
  }
  reload();
  return true;
};

export const isChunkError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|preload CSS|module script failed|error loading dynamically/i.test(error.message);
