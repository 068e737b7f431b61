import type { CallInput, CallResult } from '@hatchway/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { usePortal } from '../../app/portal.ts';
import { smallPicture } from '../../app/small-picture.ts';
import { type Company, companyQuery } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useToken } from '../../app/who.ts';

export type { Company };
export type CompanyChange = Omit<NonNullable<CallInput<'PUT /companies/{tenant}'>['body']>, 'version'>;
export type StatusLabel = CallResult<'GET /statuslabels'>[number];
export type StatusLabelInput = NonNullable<CallInput<'POST /statuslabels'>['body']>;
export type SystemState = CallResult<'GET /system'>;

export const useCompany = () => {
  const { api } = usePortal();
  const tenantId = useToken().tenant?.tenant_id ?? '';
  return useQuery({ ...companyQuery(api, tenantId), enabled: tenantId !== '' });
};

/** A form on a part of the company; `saved` is that part as it is stored, and does not change from one drawing to the next. */
export const useCompanyDraft = <T extends object>(
  company: Company,
  saved: (company: Company) => T,
  bodyOf: (value: T) => CompanyChange,
) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const query = companyQuery(api, company.id);
  return useDraft({
    row: company,
    newest: () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
    begun: (row) => saved(row ?? company),
    save: async (value, version) => {
      const after = await api('PUT /companies/{tenant}', { body: { ...bodyOf(value), version } });
      queryClient.setQueryData(query.queryKey, after);
    },
    onSaved: () => toast.ok(t('admin.saved')),
  });
};

export const useLogoCommands = (company: Company) => {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Company>): Promise<void> => {
      queryClient.setQueryData(companyQuery(api, company.id).queryKey, await answer);
      await queryClient.invalidateQueries({ queryKey: ['logo', company.id] });
    };
    return {
      put: async (image: File) =>
        shown(api('PUT /companies/{tenant}', { body: { version: company.version }, image: await smallPicture(image) })),
      remove: () => shown(api('DELETE /companies/{tenant}/logo')),
    };
  }, [api, queryClient, company.id, company.version]);
};

export function useLabelCommands() {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const after = async <T>(answer: Promise<T>): Promise<T> => {
      const done = await answer;
      // A default that moved on is a change of two.
      await Promise.all(['statuslabels', 'label-carriers'].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })));
      return done;
    };
    return {
      create: (body: StatusLabelInput) => after(api('POST /statuslabels', { body })),
      change: (id: string, body: StatusLabelInput & { version: number }) => after(api('PUT /statuslabels/{id}', { params: { id }, body })),
      remove: (id: string) => after(api('DELETE /statuslabels/{id}', { params: { id } })),
    };
  }, [api, queryClient]);
}
