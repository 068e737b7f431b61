import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';

export const NotFound = () => {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('pages.notFound.title')} · Hatchway`;
  }, [t]);
  return (
    <Notice title={t('pages.notFound.title')} text={t('pages.notFound.text')}>
      <Button component={Link} to="/">
        {t('pages.notFound.home')}
      </Button>
    </Notice>
  );
};
