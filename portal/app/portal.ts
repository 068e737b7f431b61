import type { Client } from '@hatchway/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Change } from './cache.ts';
import type { Config } from './config.ts';
import type { LiveClient, LiveState } from './live-client.ts';
import type { Session } from './session.ts';

/** What every screen may lean on; made once in application.tsx and handed down. */
export type Portal = {
  config: Config;
  session: Session;
  api: Client;
  queryClient: QueryClient;
  live: Live;
  /** Shows a change everywhere at once: call it with the answer of a mutation (live events come the same way). */
  applyChange: (change: Change) => void;
};

export type Live = Pick<LiveClient, 'subscribe' | 'wake'> & {
  state: () => LiveState;
  onState: (listener: () => void) => () => void;
  /** Every change that the server tells, after the screens have it. */
  onChange: (listener: (change: Change) => void) => () => void;
};

export const PortalContext = createContext<Portal | null>(null);

export const usePortal = (): Portal => {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('usePortal outside of PortalContext');
  return portal;
};
export const useApi = (): Client => usePortal().api;
