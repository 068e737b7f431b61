import { Suspense, lazy } from 'react';
import { usePortal } from '../../app/portal.ts';
import type { Door, Said } from './way.tsx';

const Way = lazy(() => import('./way.tsx'));

/** The way to what stands in for a cabinet, a phone or a payer, at what is looked at. A production has none, and loads no code for it. */
export const Sandbox = ({ to }: { to: Door | Said | 'vipps' }) => {
  const { sandbox } = usePortal().config;
  if (sandbox === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Way sandbox={sandbox} to={to} />
    </Suspense>
  );
};
