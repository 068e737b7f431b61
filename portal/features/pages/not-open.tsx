import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { pages } from '../../i18n/en/pages.ts';
import { Notice } from '../../ui/notice.tsx';

export type Area = keyof typeof pages.areas;

/** An area that has an address but no screen in this version: it says so, and offers nothing that would not work. */
export const NotOpen = ({ area }: { area: Area }) => {
  const { t } = useTranslation();
  const title = t('pages.notOpen.title', { area: t(`pages.areas.${area}`) });
  useEffect(() => {
    document.title = `${t(`pages.areas.${area}`)} · Hatchway`;
  }, [area, t]);
  return (
    <Notice title={title} text={t('pages.notOpen.text')}>
      <Button component={Link} to="/" variant="default">
        {t('pages.notOpen.home')}
      </Button>
    </Notice>
  );
};
