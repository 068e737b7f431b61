import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { SectionId } from './menu.tsx';
import type { SectionProps } from './section.ts';

type Section = LazyExoticComponent<ComponentType<SectionProps>>;

/** The administrator's sections, each a chunk of its own. */
export const SECTIONS: Record<SectionId, Section> = {
  company: lazy(() => import('./company-section.tsx')),
  policies: lazy(() => import('../policies/policies-section.tsx')),
  templates: lazy(() => import('../templates/templates-section.tsx')),
  webhooks: lazy(() => import('../webhooks/webhooks-section.tsx')),
  settings: lazy(() => import('./settings-section.tsx')),
  alerts: lazy(() => import('./alerts-section.tsx')),
  labels: lazy(() => import('./labels-section.tsx')),
  integrations: lazy(() => import('./integrations-section.tsx')),
  system: lazy(() => import('./system-section.tsx')),
};
