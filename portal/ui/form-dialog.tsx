import { Button, type ButtonProps, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveDialog, useHeld } from './unsaved.tsx';

const Leave = createContext<() => void>(() => undefined);

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
 * A dialog with a form in it. Escape, its X, a click beside it, Cancel and the browser's way back all ask before they throw away what was
 * typed, and close at once where nothing was. Its owner closes it after a save, which is never asked about.
 */
export const FormDialog = ({ title, dirty, saving = false, size, long = false, once = false, onClose, children }: Props) => {
  const { t } = useTranslation();
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [asking, setAsking] = useState(false);
  const focused = useRef<HTMLElement>(null);
  // Where the dialog stands in the address, closing it goes elsewhere: who said "leave" is not asked once more.
  const left = useRef(false);
  const way = useHeld(() => dirty && !saving && !left.current);
  const asked = asking || way.held;
  const leave = (): void => (dirty ? setAsking(true) : onClose());
  const go = (): void => {
    if (way.held) return way.goOn();
    left.current = true;
    return onClose();
  };
  const stay = (): void => {
    way.stay();
    setAsking(false);
    focused.current?.focus();
  };
  return (
    <>
      <Modal
        opened
        onClose={leave}
        title={title}
        {...(size ? { size } : {})}
        fullScreen={long && phone}
        closeOnEscape={!asked && !once}
        closeOnClickOutside={!once}
        closeButtonProps={{ 'aria-label': t('common.close') }}
        onFocus={({ target }) => {
          focused.current = target;
        }}
      >
        <Leave value={leave}>{children}</Leave>
      </Modal>
      {/* Made only now: one that listened before would take the same Escape for its own. */}
      {asked && <LeaveDialog opened onLeave={go} onStay={stay} />}
    </>
  );
};

/** The way out of a FormDialog beside its Save: Cancel, unless another word is given. */
export const LeaveButton = ({ children, ...button }: ButtonProps & { 'data-autofocus'?: true | undefined; children?: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <Button variant="default" {...button} onClick={useContext(Leave)}>
      {children ?? t('common.cancel')}
    </Button>
  );
};
