import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { useFocusKept } from './focus-back.ts';
import styles from './form-dialog.module.css';
import { LeaveDialog, useHeld } from './unsaved.tsx';

type Way = () => void;
/** Asks about what was typed, and goes: out, unless another way is given. */
const Leave = createContext<(to?: Way) => void>(() => undefined);

type Props = {
  title: string;
  /** Something is typed here that would be lost. */
  dirty: boolean;
  /** It is being saved: where that leads to is not asked about, closing it meanwhile is. */
  saving?: boolean;
  size?: 'lg' | 'xl';
  /** Long: it takes the whole screen of a phone. */
  long?: boolean;
  /** It shows what nobody sees again, so that no slip may close it. */
  once?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A dialog with a form in it. Escape, its X, a click beside it, Cancel, Delete and the browser's way back all ask before they throw away what was
 * typed, and close at once where nothing was. Its owner closes it after a save, which is never asked about.
 */
export const FormDialog = ({ title, dirty, saving = false, size, long = false, once = false, onClose, children }: Props) => {
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [asking, setAsking] = useState<{ to: Way } | null>(null);
  const { focused, onFocus } = useFocusKept(saving);
  // Where the dialog stands in the address, closing it goes elsewhere: who said "leave" is not asked once more.
  const left = useRef(false);
  const way = useHeld(() => dirty && !saving && !left.current);
  const asked = asking !== null || way.held;
  const leave = (to: Way = onClose): void => (dirty ? setAsking({ to }) : to());
  const go = (): void => {
    if (way.held) return way.goOn();
    left.current = true;
    setAsking(null);
    return (asking?.to ?? onClose)();
  };
  const stay = (): void => {
    way.stay();
    setAsking(null);
    focused.current?.focus();
  };
  return (
    <>
      <Dialog
        onClose={() => leave()}
        title={title}
        {...(size ? { size } : {})}
        fullScreen={long && phone}
        classNames={{ content: styles.content ?? '' }}
        closeOnEscape={!asked && !once}
        closeOnClickOutside={!once}
        onFocus={onFocus}
      >
        <Leave value={leave}>{children}</Leave>
      </Dialog>
      {/* Made only now: one that listened before would take the same Escape for its own. */}
      {asked && <LeaveDialog opened onLeave={go} onStay={stay} />}
    </>
  );
};

/** Where the buttons of a dialog are several ways to go on, and none is Cancel: in sight as the foot of a form is. */
export const FormWays = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap="xs" className={`${styles.foot ?? ''} ${styles.ways ?? ''}`}>
    {children}
  </Group>
);

type FootProps = {
  saving: boolean;
  /** The word on the button that saves; Save, unless another is given. */
  save?: string;
  /** Without it the button submits the form that the foot stands in. */
  onSave?: () => void;
  /** There is nothing to save, or what is typed cannot be. */
  idle?: boolean;
  /** What it does cannot be undone: Cancel has the focus. */
  danger?: boolean;
  /** Something above comes before it: it is not the main button. */
  unlikely?: boolean;
  cancel?: string;
  /** Takes away the whole of what is edited here. It asks for itself; this asks about what was typed before it gives way to that. */
  remove?: { label: string; onRemove: () => void } | null;
  /** Further ways to save, before the last. */
  children?: ReactNode;
};

/** The buttons of a FormDialog: out of it, and whatever saves. They stay in sight, whatever is scrolled above them. */
export const FormFoot = ({ saving, save, onSave, idle = false, danger = false, unlikely = false, cancel, remove, children }: FootProps) => {
  const { t } = useTranslation();
  const leave = useContext(Leave);
  return (
    <Group justify="flex-end" gap="xs" className={styles.foot ?? ''}>
      {remove && (
        <Button variant="subtle" color="red" mr="auto" onClick={() => leave(remove.onRemove)}>
          {remove.label}
        </Button>
      )}
      <Button variant="default" data-autofocus={danger || undefined} onClick={() => leave()}>
        {cancel ?? t('common.cancel')}
      </Button>
      {children}
      <Button
        type={onSave ? 'button' : 'submit'}
        variant={unlikely ? 'default' : 'filled'}
        loading={saving}
        disabled={idle}
        color={danger ? 'red' : 'accent'}
        onClick={onSave}
      >
        {save ?? t('common.save')}
      </Button>
    </Group>
  );
};
