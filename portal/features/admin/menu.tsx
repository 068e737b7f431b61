import { mayAdminister } from '@hatchway/domain/access.ts';
import {
  type Icon,
  IconAdjustments,
  IconApi,
  IconBell,
  IconBoxMultiple,
  IconBuilding,
  IconChevronDown,
  IconHeartbeat,
  IconKey,
  IconMessage2,
  IconPlugConnected,
  IconRuler2,
  IconTags,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccess, useFacts } from '../../app/who.ts';
import type { admin } from '../../i18n/en/admin.ts';
import styles from './admin.module.css';

export type SectionId = keyof typeof admin.sections;
/** Their signs, in the order of the menu, chosen together so that none is used twice. */
const SECTIONS: Record<SectionId, Icon> = {
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
/** Screens with addresses of their own. */
const SCREENS = {
  '/iam/users': IconUsers,
  '/iam/groups': IconUsersGroup,
  '/admin/permissions': IconKey,
  '/iam/assetgroups': IconBoxMultiple,
  '/admin/api': IconApi,
} as const;
type Screen = keyof typeof SCREENS;
type Here = SectionId | Screen;

const sectionIds = Object.keys(SECTIONS) as SectionId[];
const screens = Object.keys(SCREENS) as Screen[];
const isScreen = (here: Here): here is Screen => Object.hasOwn(SCREENS, here);
const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

/** One of the administration's screens beside its menu. Whoever may not administer reads there that it is not for them, and is offered no menu. */
export const Administration = ({ here, children }: { here: Here; children: ReactNode }) => {
  const may = mayAdminister('companies', useFacts());
  if (!may) return children;
  return (
    <div className={styles.admin}>
      <AdminMenu here={here} />
      <div className={styles.screen}>{children}</div>
    </div>
  );
};

const AdminMenu = ({ here }: { here: Here }) => {
  const { t } = useTranslation();
  const { keys } = useAccess();
  // A phone shows where one is; the others are a press away.
  const [openAt, setOpenAt] = useState<Here | null>(null);
  const open = openAt === here;
  const setOpen = (on: boolean): void => setOpenAt(on ? here : null);
  const titles: Record<Screen, string> = {
    '/iam/users': t('admin.links.users'),
    '/iam/groups': t('admin.links.groups'),
    '/admin/permissions': t('admin.links.permissions'),
    '/iam/assetgroups': t('assetGroups.title'),
    '/admin/api': t('admin.links.api'),
  };
  const HereSign = isScreen(here) ? SCREENS[here] : SECTIONS[here];
  const entry = (id: Here) => ({
    className: styles.link,
    activeProps: {},
    'aria-current': id === here ? ('page' as const) : undefined,
    'data-here': id === here || undefined,
  });
  return (
    <nav className={styles.nav} aria-label={t('admin.sectionsLabel')} data-open={open || undefined}>
      <button type="button" className={styles.toggle} aria-expanded={open} aria-controls="admin-sections" onClick={() => setOpen(!open)}>
        <HereSign {...icon} />
        {isScreen(here) ? titles[here] : t(`admin.sections.${here}`)}
        <IconChevronDown size={18} aria-hidden />
      </button>
      <div id="admin-sections" className={styles.all}>
        <ul>
          {sectionIds.map((id) => {
            const Sign = SECTIONS[id];
            return (
              <li key={id}>
                <Link to="/admin" search={{ section: id }} {...entry(id)}>
                  <Sign {...icon} />
                  {t(`admin.sections.${id}`)}
                </Link>
              </li>
            );
          })}
        </ul>
        <h2 className={styles.label}>{t('admin.people')}</h2>
        <ul>
          {screens
            .filter((to) => keys || to !== '/admin/api')
            .map((to) => {
              const Sign = SCREENS[to];
              return (
                <li key={to}>
                  <Link to={to} search={{}} {...entry(to)}>
                    <Sign {...icon} />
                    {titles[to]}
                  </Link>
                </li>
              );
            })}
        </ul>
      </div>
    </nav>
  );
};
