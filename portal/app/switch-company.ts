import { useTranslation } from 'react-i18next';
import { usePortal } from './portal.ts';
import { beginAnew } from './session.ts';
import { leaveCompany } from './tab-company.ts';
import { toast } from './toasts.ts';

/** Chooses another company: the next token is for it, and the page begins anew with it; another tab's does once it gets such a token. */
export const useSwitchCompany = () => {
  const { t } = useTranslation();
  const { api } = usePortal();
  return (company: { tenantId: string; name: string }, at?: string): void => {
    toast.ok(t('frame.switching', { name: company.name }));
    api('PUT /accounts/me/company', { body: { tenantId: company.tenantId } })
      .then(() => {
        leaveCompany();
        beginAnew(at);
      })
      .catch(toast.fail);
  };
};
