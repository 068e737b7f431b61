import type { Language, Words } from './words.ts';

/** What every sandbox page shares: language, theme and the bar on top. */

/** The browser's first segment; no and nn are read as Bokmål, whatever else we do not speak as English. `?lang=` wins, for a look. */
function language(): Language {
  const wish = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  return ['no', 'nb', 'nn'].includes(wish.split('-')[0]?.toLowerCase() ?? '') ? 'nb' : 'en';
}

/** Of the bar. */
export const BAR = {
  en: {
    sandbox: 'Sandbox',
    start: 'Overview',
    cabinets: 'Cabinets',
    inbox: 'Inbox',
    vipps: 'Payments',
    woo: 'Webshop',
    directory: 'Directory',
    assets: 'Asset tool',
    portal: 'Portal',
    endUser: 'End-user site',
    theme: 'Light or dark',
  },
  nb: {
    sandbox: 'Sandkasse',
    start: 'Oversikt',
    cabinets: 'Skap',
    inbox: 'Innboks',
    vipps: 'Betalinger',
    woo: 'Nettbutikk',
    directory: 'Katalog',
    assets: 'Utstyrsverktøy',
    portal: 'Portal',
    endUser: 'Sluttbrukerside',
    theme: 'Lyst eller mørkt',
  },
} satisfies Words<string>;

const THEME_KEY = 'color-theme';

function stored(): string | null {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null; // storage may be forbidden; the page works without
  }
}

function themeButton(label: string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'quiet', title: label, 'aria-label': label }, '◐');
  button.addEventListener('click', () => {
    const dark =
      (document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    document.documentElement.dataset['theme'] = dark ? 'light' : 'dark';
    try {
      localStorage.setItem(THEME_KEY, dark ? 'light' : 'dark');
    } catch {
      // as above
    }
  });
  return button;
}

/** `el('a', { href }, 'text', node)`: text is always set as text, so nothing that came in a message can become markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: (Node | string | null)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** The mark: a square door with a hatched half. */
function mark(): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute(
    'd',
    'M5.5 3h13A2.5 2.5 0 0 1 21 5.5v13a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 18.5v-13A2.5 2.5 0 0 1 5.5 3ZM12 3v18M12 10l7-7M12 15.5l9-9M12 21l9-9M17.5 21l3.5-3.5',
  );
  path.setAttribute('stroke-width', '1.7');
  svg.append(path);
  return svg;
}

/** The parts of the sandbox, each with a page of its own. */
export const PLACES = ['cabinets', 'inbox', 'vipps', 'woo', 'directory', 'assets'] as const;
export type Place = (typeof PLACES)[number];

/** Puts language and theme on the document and the bar before everything else. `current` is the page's own place. */
export function shell(current: Place | 'start'): Language {
  const lang = language();
  const words = BAR[lang];
  document.documentElement.lang = lang;
  const theme = stored();
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme;
  const link = (key: Place | 'start', href: string) => el('a', { href, 'aria-current': key === current ? 'page' : undefined }, words[key]);
  document.body.prepend(
    el(
      'header',
      { class: 'bar' },
      el('a', { class: 'mark', href: '/sandbox/' }, mark(), 'Hatchway'),
      el('span', { class: 'tag' }, words.sandbox),
      el(
        'nav',
        { 'aria-label': words.sandbox },
        link('start', '/sandbox/'),
        ...PLACES.map((place) => link(place, `/sandbox/${place}`)),
        el('a', { href: '/portal/' }, words.portal),
        el('a', { href: '/' }, words.endUser),
        themeButton(words.theme),
      ),
    ),
  );
  return lang;
}

/** Where one part of the sandbox stands alone, the bar names no place that is not there. */
export function standAlone(): void {
  for (const link of document.querySelectorAll('.bar nav a:not([aria-current])')) link.remove();
}
