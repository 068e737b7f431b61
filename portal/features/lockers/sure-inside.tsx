import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, usePortal } from '../../app/portal.ts';
import { lockerQuery } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { againstInside, saidOfInside } from './door-view.ts';

type Asked = { lockerId: string; tag: string; say: () => void; look: (() => void) | undefined; more: boolean };

/**
 * The word that something lies inside is above a sensor that senses nothing, and behind a door that stands open anybody may reach it: so it
 * is asked for once more, for a careless press is no word. The safe way out has the focus; `look` opens the door, where that can be done
 * here. `more` is put to what lies there, of which that says nothing. A dialog that asks shows it in its own place: one Escape is one answer.
 */
export function useSureInside(): {
  sure: (lockerId: string, say: () => void, look?: () => void, more?: boolean) => void;
  question: ReactElement | null;
} {
  const { api, queryClient } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const sure = (lockerId: string, say: () => void, look?: () => void, more = false) => {
    // Pressed before the door was read, it waits for that; where it cannot be read there is nothing to ask about.
    const read = queryClient.ensureQueryData(lockerQuery(api, lockerId)).catch(() => undefined);
    void read.then((locker) =>
      locker !== undefined && againstInside(locker) !== null ? setAsked({ lockerId, tag: locker.doorTag, say, look, more }) : say(),
    );
  };
  return { sure, question: asked === null ? null : <Question {...asked} onDone={() => setAsked(null)} /> };
}

/** Of the door as it stands now: whoever shuts it at this question reads no more that it stands open. */
const Question = ({ lockerId, tag, say, look, more, onDone }: Asked & { onDone: () => void }) => {
  const { t } = useTranslation();
  const locker = useQuery(lockerQuery(useApi(), lockerId)).data;
  const said = saidOfInside(locker);
  const goes = said === 'nothing' && look !== undefined;
  return (
    <ConfirmDialog
      opened
      title={t(`occupations.sureInside.${said}.title`, { tag })}
      action={t('occupations.sureInside.yes')}
      keep={goes ? t('occupations.sureInside.look') : said === 'open' ? t('occupations.sureInside.shutFirst') : t('common.back')}
      destructive
      safest
      onConfirm={() => {
        onDone();
        say();
      }}
      onKeep={() => {
        onDone();
        if (goes) look();
      }}
      onClose={onDone}
    >
      {more ? t(`occupations.sureInside.refill.${said}`) : t(`occupations.sureInside.${said}.text`, { tag })}
      {more && locker?.inDoubt === true && ` ${t('occupations.sureInside.refill.doubt')}`}
    </ConfirmDialog>
  );
};
