import { useTranslation } from 'react-i18next';
import { usePortal } from './portal.ts';
import { portalAddress } from './session.ts';
import { toast } from './toasts.ts';

/** Chooses another company: the next token is for it, and the page begins anew, so that nothing of the first company stays in memory. */
export const useSwitchCompany = () => {
  const { t } = useTranslation();
  const { api, session } = usePortal();
  return (company: { tenantId: string; name: string }): void => {
    toast.ok(t('frame.switching', { name: company.name }));
    api('PUT /accounts/me/company', { body: { tenantId: company.tenantId } })
      .then(session.refresh)
      .then(() => location.assign(portalAddress()))
      .catch(toast.fail);
  };
};
