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
    const sheet = error instanceof Error ? /preload CSS for (\S+)/i.exec(error.message)?.[1] : undefined;
    if (sheet !== undefined) return void missing.add(sheet);
    void answers().then((there) => there && reloadOnce(now()));
  });
};

/** Style sheets that did not come. Vite takes each for loaded from then on, and would let a screen that was fetched ahead stand there bare. */
const missing = new Set<string>();

const addSheet = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    document.querySelector(`link[rel=stylesheet][href="${href}"]`)?.remove();
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
    link.addEventListener('load', () => {
      missing.delete(href);
      resolve();
    });
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${href}`)));
    document.head.append(link);
  });

type Loaded = { component?: unknown };
/** A screen's code is asked for once the style sheets that did not come are there; where one still does not, that is the screen's error. */
export const holdUntilStyled = (routes: readonly { options: Loaded }[]): void => {
  for (const { options } of routes) {
    const lazy = options.component as { preload?: () => Promise<unknown> } | undefined;
    const load = lazy?.preload;
    if (lazy && load) lazy.preload = () => (missing.size === 0 ? load() : Promise.all([...missing].map(addSheet)).then(load));
  }
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
