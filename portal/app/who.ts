import { ApiError } from '@hatchway/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { type Visible, factsOf, visibleTo } from './access.ts';
import { usePortal } from './portal.ts';
import { companyQuery, logoQuery, meQuery } from './queries.ts';
import type { TokenData } from './session.ts';

/** The token's content, fresh after each renewal. */
export const useToken = (): TokenData => {
  const { session } = usePortal();
  const token = useSyncExternalStore(session.onToken, session.token);
  return useMemo(() => (token ? session.data() : {}), [token, session]);
};

export const useMe = () => {
  const { api } = usePortal();
  return useQuery(meQuery(api));
};

/** What menus, shortcuts and buttons show. The server decides; this is comfort. */
export const useAccess = (): Visible => {
  const facts = useFacts();
  return useMemo(() => visibleTo(facts), [facts]);
};

export const useFacts = () => {
  const token = useToken();
  const { data } = useMe();
  return useMemo(() => factsOf(data, token), [data, token]);
};

/** Where the company's days begin and end; the browser's zone until that is known. */
export const useZone = (): string | undefined => useCompany()?.timeZone;

const useCompany = () => {
  const { api } = usePortal();
  const id = useToken().tenant?.tenant_id ?? '';
  return useQuery({ ...companyQuery(api, id), enabled: id !== '' }).data;
};

/** The country whose numbers may be typed without their code. */
export const useCountryName = (): string => {
  const { i18n } = useTranslation();
  const country = useCompany()?.country ?? 'NO';
  return new Intl.DisplayNames([i18n.language], { type: 'region' }).of(country) ?? country;
};

/** The company's name; where the server has no document, the one in the token. */
export const useCompanyName = (): string => {
  const token = useToken().tenant;
  return useCompany()?.name ?? token?.tenant_name ?? '';
};

/** The company's logo; null where it has none, or until it is there. */
export const useLogo = (): Blob | null => {
  const { api } = usePortal();
  const company = useCompany();
  const { data } = useQuery(logoQuery(api, company ?? { id: '', version: 0, hasLogo: false }));
  return company?.hasLogo === true ? (data ?? null) : null;
};

/** A token for a company that is gone or suspended: every screen but /forbidden would only fail. */
export const isShutOut = (error: unknown): boolean =>
  error instanceof ApiError && (error.problem?.code === 'suspended' || error.problem?.code === 'company-gone');
