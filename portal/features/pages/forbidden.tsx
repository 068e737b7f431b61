import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { Notice } from '../../ui/notice.tsx';

/** For a token whose tenant is valid but whose company is gone or suspended. */
export const Forbidden = () => {
  const { t } = useTranslation();
  const { config, session } = usePortal();
  useEffect(() => {
    document.title = `${t('pages.forbidden.title')} · Hatchway`;
  }, [t]);
  return (
    <Notice
      title={t('pages.forbidden.title')}
      text={t('pages.forbidden.text')}
      action={{ label: t('pages.forbidden.logout'), onClick: () => void session.logout() }}
    >
      <Button component="a" href={config.endUser} variant="default">
        {t('pages.forbidden.endUser')}
      </Button>
    </Notice>
  );
};
