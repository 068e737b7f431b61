import { useSyncExternalStore } from 'react';

/** A sheet that is cut, and the two rolls that label printers take. */
export const PAPERS = ['a4', 'roll-62', 'tape-24'] as const;

/** What a person sets for this browser alone. Language and theme have places of their own. */
const DEFAULTS = { 'table-density': 'comfortable', sounds: 'on', notifications: 'on', 'label-paper': 'a4' } as const;
type Values = {
  'table-density': 'comfortable' | 'compact';
  sounds: 'on' | 'off';
  notifications: 'on' | 'off';
  'label-paper': (typeof PAPERS)[number];
};
type Preference = keyof Values;

const listeners = new Set<() => void>();

export const preference = <P extends Preference>(name: P): Values[P] => {
  try {
    return (localStorage.getItem(name) as Values[P] | null) ?? DEFAULTS[name];
  } catch {
    return DEFAULTS[name];
  }
};

export const setPreference = <P extends Preference>(name: P, value: Values[P]): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Where storage is forbidden nothing can be kept.
  }
  if (name === 'table-density') document.documentElement.dataset['density'] = value;
  for (const listener of listeners) listener();
};

export const usePreference = <P extends Preference>(name: P): Values[P] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => preference(name),
  );
