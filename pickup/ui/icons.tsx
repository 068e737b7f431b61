/** The mark: a square door with a hatched half. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
    <rect x="3" y="3" width="18" height="18" rx="2.5" strokeWidth="2" />
    <path d="M12 3v18M12 9l6-6M12 15l9-9M12 21l9-9M18 21l3-3" strokeWidth="1.6" />
  </svg>
);

export const ThemeIcon = () => (
  <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
    <circle cx="12" cy="12" r="8" />
    <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
  </svg>
);

const PATHS = {
  warn: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5v.01',
  ok: 'M4.5 12.5 10 18 20 6.5',
  info: 'M12 11v6M12 7.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
} as const;

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg
    className="sign"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);
