import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const THEME_KEY = 'color-theme';

const stored = (): MantineColorScheme | null => {
  try {
    const value = localStorage.getItem(THEME_KEY);
    return value === 'dark' || value === 'light' ? value : null;
  } catch {
    return null;
  }
};

/** Keeps `dark` or `light` under `color-theme`, and nothing at all while the system decides. */
export const colorSchemeManager = (): MantineColorSchemeManager => {
  let listen: ((event: StorageEvent) => void) | null = null;
  return {
    get: (fallback) => stored() ?? fallback,
    set: (value) => {
      try {
        if (value === 'auto') localStorage.removeItem(THEME_KEY);
        else localStorage.setItem(THEME_KEY, value);
      } catch {
        // Where storage is forbidden the choice holds until the page is left.
      }
    },
    // Another tab chose: this one follows.
    subscribe: (onUpdate) => {
      listen = (event) => {
        if (event.key === THEME_KEY) onUpdate(stored() ?? 'auto');
      };
      addEventListener('storage', listen);
    },
    unsubscribe: () => {
      if (listen) removeEventListener('storage', listen);
    },
    clear: () => localStorage.removeItem(THEME_KEY),
  };
};
