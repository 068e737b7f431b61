import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './secret-once.module.css';

/** Also where it takes the place of the form that asked for it, whose button had the focus. */
const begin = (button: HTMLButtonElement | null): void => button?.focus();

/** A secret that is shown this once: readable, selected with one press, and copied with another. */
export const SecretOnce = ({ label, secret }: { label: string; secret: string }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.secret}>
      <code className={styles.value} aria-label={label}>
        {secret}
      </code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button
            ref={begin}
            data-autofocus
            onClick={copy}
            leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          >
            {copied ? t('common.copied') : t('common.copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
};
