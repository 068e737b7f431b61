import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './secret-once.module.css';

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
            onClick={copy}
            leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            data-autofocus
          >
            {copied ? t('common.copied') : t('common.copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
};
