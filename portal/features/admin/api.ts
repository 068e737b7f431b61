import type { CallInput, CallResult } from '@hatchway/contract/client.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { usePortal } from '../../app/portal.ts';
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

/**
 * A form on a part of the company. What was typed lies over what is stored, so that neither a refused save nor news from elsewhere loses
 * it; it is saved against the version that stood there when typing began.
 */
export const useCompanyDraft = <T extends object>(company: Company, saved: T, bodyOf: (value: T) => CompanyChange) => {
  const { t } = useTranslation();
  const { api, queryClient } = usePortal();
  const [draft, setDraft] = useState<Partial<T>>({});
  const [base, setBase] = useState<number | null>(null);
  const value: T = { ...saved, ...draft };
  const dirty = JSON.stringify(value) !== JSON.stringify(saved);
  const key = companyQuery(api, company.id).queryKey;
  const save = useMutation({
    mutationFn: () => api('PUT /companies/{tenant}', { body: { ...bodyOf(value), version: base ?? company.version } }),
    onSuccess: (after) => {
      queryClient.setQueryData(key, after);
      setDraft({});
      setBase(null);
      toast.ok(t('admin.saved'));
    },
  });
  return {
    value,
    dirty,
    set: (change: Partial<T>): void => {
      setDraft((old) => ({ ...old, ...change }));
      setBase((old) => old ?? company.version);
      if (save.isError) save.reset();
    },
    reset: (): void => {
      setDraft({});
      setBase(null);
      save.reset();
    },
    save: () => save.mutate(),
    saving: save.isPending,
    error: save.error,
    stale: codeOf(save.error) === 'stale',
    /** Takes what stands there now, with what was typed over it. */
    catchUp: async (): Promise<void> => {
      const now = await queryClient.fetchQuery({ ...companyQuery(api, company.id), staleTime: 0 });
      setBase(now.version);
      save.reset();
    },
  };
};

export const useLogoCommands = (company: Company) => {
  const { api, queryClient } = usePortal();
  return useMemo(() => {
    const shown = async (answer: Promise<Company>): Promise<void> => {
      queryClient.setQueryData(companyQuery(api, company.id).queryKey, await answer);
      await queryClient.invalidateQueries({ queryKey: ['logo', company.id] });
    };
    return {
      put: (image: File) => shown(api('PUT /companies/{tenant}', { body: { version: company.version }, image })),
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
      await queryClient.invalidateQueries({ queryKey: ['statuslabels'] });
      return done;
    };
    return {
      create: (body: StatusLabelInput) => after(api('POST /statuslabels', { body })),
      change: (id: string, body: StatusLabelInput) => after(api('PUT /statuslabels/{id}', { params: { id }, body })),
      remove: (id: string) => after(api('DELETE /statuslabels/{id}', { params: { id } })),
    };
  }, [api, queryClient]);
}
