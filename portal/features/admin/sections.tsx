import {
  type Icon,
  IconAdjustments,
  IconBell,
  IconBuilding,
  IconHeartbeat,
  IconMessage2,
  IconPlugConnected,
  IconTags,
  IconRuler2,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { admin } from '../../i18n/en/admin.ts';
import type { SectionProps } from './section.ts';

export type SectionId = keyof typeof admin.sections;
type Section = LazyExoticComponent<ComponentType<SectionProps>>;

/** The administrator's sections, in the order of the menu. Each is a chunk of its own; one that has no line here is not shown. */
export const SECTIONS: Partial<Record<SectionId, Section>> = {
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

/** Their signs, chosen together so that none is used twice. */
export const ICONS: Record<SectionId, Icon> = {
  company: IconBuilding,
  settings: IconAdjustments,
  alerts: IconBell,
  labels: IconTags,
  policies: IconRuler2,
  templates: IconMessage2,
  webhooks: IconWebhook,
  integrations: IconPlugConnected,
  system: IconHeartbeat,
};
