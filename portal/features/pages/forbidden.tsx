import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { companyQuery } from '../../app/queries.ts';
import { useToken } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';

/** For a token whose tenant is valid but whose company is gone or suspended. Whoever comes here with one that is not is led back. */
export const Forbidden = () => {
  const { t } = useTranslation();
  const { api, config, session } = usePortal();
  const navigate = useNavigate();
  const id = useToken().tenant?.tenant_id ?? '';
  // What was known of it before says nothing: it is asked anew.
  const { data, isSuccess, isFetchedAfterMount } = useQuery({ ...companyQuery(api, id), enabled: id !== '', refetchOnMount: 'always' });
  const there = isSuccess && isFetchedAfterMount;
  const logout = () => void session.logout();
  const site = (
    <Button component="a" href={config.endUser} variant="default">
      {t('pages.forbidden.endUser')}
    </Button>
  );
  if (there) {
    return (
      <Notice
        title={t('pages.forbidden.there')}
        text={t('pages.forbidden.thereText', { name: data.name })}
        action={{ label: t('pages.notFound.home'), onClick: () => void navigate({ to: '/dash' }) }}
      >
        <Button variant="default" onClick={logout}>
          {t('pages.forbidden.logout')}
        </Button>
        {site}
      </Notice>
    );
  }
  return (
    <Notice
      title={t('pages.forbidden.title')}
      text={t('pages.forbidden.text')}
      action={{ label: t('pages.forbidden.logout'), onClick: logout }}
    >
      {site}
    </Notice>
  );
};
