import { useQuery } from '@tanstack/react-query';
import { LICENSES } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { usePortal } from '../../app/portal.ts';
import { companyQuery } from '../../app/queries.ts';
import { useCompanyName, useToken } from '../../app/who.ts';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Tags } from '../account/rights.tsx';

const CompanySection = () => {
  const { t } = useTranslation();
  const { api } = usePortal();
  const name = useCompanyName();
  const token = useToken();
  const tenantId = token.tenant?.tenant_id ?? '';
  const company = useQuery({ ...companyQuery(api, tenantId), enabled: tenantId !== '' });
  const one = company.data;
  const licenses = LICENSES.filter((license) => (one?.licenses ?? token.licenses ?? []).includes(license));
  return (
    <>
      {company.isError && codeOf(company.error) !== 'no-document' && (
        <ProblemNote error={company.error} onRetry={() => void company.refetch()} />
      )}
      <Panel title={t('admin.sections.company')}>
        {company.isPending ? (
          <Bones lines={5} height={20} />
        ) : (
          <Facts
            rows={[
              [t('admin.name'), name],
              [t('admin.orgNumber'), one?.orgNumber ?? t('common.notSet')],
              [t('admin.country'), one?.country ?? t('common.notSet')],
              [t('admin.timeZone'), one?.timeZone ?? t('common.notSet')],
              [t('account.profile.licenses'), <Tags key="licenses" words={licenses.map((license) => t(`terms.license.${license}`))} />],
              [t('admin.id'), <code key="id">{tenantId}</code>],
            ]}
          />
        )}
      </Panel>
    </>
  );
};
export default CompanySection;
