import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';

/** A service that this person may not use, reached by an old link. */
export const NotAllowed = () => {
  const { t } = useTranslation();
  return (
    <Notice title={t('occupations.notAllowed')} text={t('occupations.notAllowedText')}>
      <Button component={Link} to="/">
        {t('pages.notFound.home')}
      </Button>
    </Notice>
  );
};

/** A screen that is for others, reached by an old link: it says for whom. */
export const ForOthers = ({ title, text }: { title: string; text: string }) => {
  const { t } = useTranslation();
  return (
    <Notice title={title} text={text}>
      <Button component={Link} to="/" variant="default">
        {t('pages.notFound.home')}
      </Button>
    </Notice>
  );
};
