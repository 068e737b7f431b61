import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { useFocusKept } from './focus-back.ts';

type Props = {
  opened: boolean;
  title: string;
  children: ReactNode;
  action: string;
  /** The word of the safe way out, where Cancel would say the same as the action does. */
  keep?: string;
  destructive?: boolean;
  /** The safe way out is the main button. */
  safest?: boolean;
  busy?: boolean;
  /** Something must be chosen first. */
  blocked?: boolean;
  onConfirm: () => void;
  /** What the safe way out does, where that is more than to close. */
  onKeep?: () => void;
  onClose: () => void;
};

/** Not to be pressed yet, and none the less where the focus comes to when its dialog opens. */
export const WAITING = { 'data-disabled': true, 'aria-disabled': true } as const;

/** Says what will happen, and names the thing. The safe way out has the focus when something would be lost. */
export const ConfirmDialog = ({
  opened,
  title,
  children,
  action,
  keep,
  destructive,
  safest,
  busy,
  blocked,
  onConfirm,
  onKeep,
  onClose,
}: Props) => {
  const { t } = useTranslation();
  const { onFocus } = useFocusKept(busy === true || !opened);
  return (
    <Dialog opened={opened} onClose={onClose} title={title} onFocus={onFocus}>
      <Text component="div">{children}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant={safest ? 'filled' : 'default'} onClick={onKeep ?? onClose} data-autofocus={destructive || undefined}>
          {keep ?? t('common.cancel')}
        </Button>
        <Button
          {...(safest ? { variant: 'default' } : { color: destructive ? 'red' : 'accent' })}
          loading={busy ?? false}
          {...(blocked === true ? WAITING : {})}
          // While it fades away it is still there to be pressed: a double click is one word.
          onClick={() => opened && blocked !== true && onConfirm()}
          data-autofocus={!destructive || undefined}
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
};
