import { Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { SaveDialog } from './save-dialog.tsx';

type Props = {
  title: string;
  text: ReactNode;
  label: string;
  placeholder: string;
  needed: string;
  action: string;
  busy?: boolean;
  destructive?: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks for a reason that lands in the history; without one nothing is done. */
export const ReasonDialog = ({
  title,
  text,
  label,
  placeholder,
  needed,
  action,
  busy = false,
  destructive = false,
  onConfirm,
  onClose,
}: Props) => {
  const [reason, setReason] = useState('');
  const [lacking, setLacking] = useState(false);
  const confirm = () => {
    if (reason.trim() === '') setLacking(true);
    else onConfirm(reason.trim());
  };
  return (
    <SaveDialog
      title={title}
      error={null}
      busy={busy}
      dirty={reason.trim() !== ''}
      destructive={destructive}
      action={action}
      onSave={confirm}
      onClose={onClose}
    >
      <Text component="div" mb="md">
        {text}
      </Text>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setLacking(false);
        }}
        error={lacking ? needed : undefined}
        errorProps={{ role: 'alert' }}
        maxLength={300}
        data-autofocus
      />
    </SaveDialog>
  );
};
