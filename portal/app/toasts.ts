import { i18next } from '../i18n/setup.ts';
import { tell } from './problem.ts';

type Kind = 'ok' | 'warn' | 'fail';
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** The toasts' code comes with the first one: nothing of it is in the first load. */
const show = (kind: Kind, message: string): void => {
  void Promise.all([import('@mantine/notifications'), import('../frame/toasts.tsx')]).then(([{ notifications }, { mountToasts }]) => {
    mountToasts();
    notifications.show({
      message,
      color: COLOURS[kind],
      withBorder: true,
      role: kind === 'fail' ? 'alert' : 'status',
      closeButtonProps: { 'aria-label': i18next.t('common.close') },
    });
  });
};

/** Toasts: 5000 ms, at most 20, top-right (set in frame/toasts.tsx). What went wrong is said on the page too. */
export const toast = {
  ok: (message: string): void => show('ok', message),
  warn: (message: string): void => show('warn', message),
  fail: (error: unknown): void => show('fail', i18next.t(`problems.${tell(error).sentence}`)),
};
