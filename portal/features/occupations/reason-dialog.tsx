import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';

type Props = {
  title: string;
  text: string;
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
export const ReasonDialog = ({ title, text, label, placeholder, needed, action, busy, destructive, onConfirm, onClose }: Props) => {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [lacking, setLacking] = useState(false);
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setLacking(true);
    else onConfirm(reason.trim());
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={confirm} noValidate>
        <Text mb="md">{text}</Text>
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
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy ?? false} color={destructive === true ? 'red' : 'accent'}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
