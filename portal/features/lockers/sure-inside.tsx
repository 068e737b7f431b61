import { useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { lockerQuery } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { sensesNothing } from './door-view.ts';

/**
 * The word that something lies inside is above a sensor that senses nothing, and so it is asked for once more: a careless press is no
 * word. The safe way out has the focus. A dialog that asks shows it in its own place: one Escape is one answer.
 */
export function useSureInside(): { sure: (lockerId: string, say: () => void) => void; question: ReactElement | null } {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const [asked, setAsked] = useState<{ tag: string; say: () => void } | null>(null);
  const sure = (lockerId: string, say: () => void) => {
    // Pressed before the door was read, it waits for that; where it cannot be read there is nothing to ask about.
    const read = queryClient.ensureQueryData(lockerQuery(api, lockerId)).catch(() => undefined);
    void read.then((locker) => (locker !== undefined && sensesNothing(locker) ? setAsked({ tag: locker.doorTag, say }) : say()));
  };
  const question =
    asked === null ? null : (
      <ConfirmDialog
        opened
        title={t('occupations.sureInside.title', { tag: asked.tag })}
        action={t('occupations.sureInside.yes')}
        keep={t('occupations.sureInside.look')}
        destructive
        onConfirm={() => {
          setAsked(null);
          asked.say();
        }}
        onClose={() => setAsked(null)}
      >
        {t('occupations.sureInside.text')}
      </ConfirmDialog>
    );
  return { sure, question };
}
