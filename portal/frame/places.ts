import {
  type Icon,
  IconAddressBook,
  IconApi,
  IconBox,
  IconBoxMultiple,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconCash,
  IconClockHour4,
  IconHome,
  IconKey,
  IconLink,
  IconLayoutGrid,
  IconPackages,
  IconPlugConnected,
  IconSearch,
  IconSettings,
  IconShieldCog,
  IconUser,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { Visible } from '../app/access.ts';
import { SERVICE_ICON } from '../ui/service-icon.ts';

/** Those whose screens are open; the order of the shortcuts. */
const SERVICES = ['delivery', 'selfservice', 'lock-control', 'storage', 'lending', 'consumable', 'sale', 'recall', 'drop-off'] as const;

export type Place = { to: string; label: string; icon: Icon };

/** The screens that are open in this version and that this person may use; the palette and the tests of the menus read it. */
export const placesFor = (access: Visible, t: TFunction): Place[] => {
  const places: (Place | false)[] = [
    { to: '/', label: t('frame.dashboard'), icon: IconHome },
    ...SERVICES.filter((service) => access.may(service)).map((service): Place => ({
      to: `/services/${service}`,
      label: t(`terms.service.${service}`),
      icon: SERVICE_ICON[service],
    })),
    access.manage && { to: '/manage', label: t('frame.manage'), icon: IconBuildingWarehouse },
    access.manage && { to: '/manage/occupations', label: t('manage.areas.occupations'), icon: IconPackages },
    { to: '/manage/assets', label: t('assets.title'), icon: IconBox },
    access.manage && { to: '/services/manageoccupation', label: t('manage.areas.find'), icon: IconSearch },
    access.may('storefront') && { to: '/services/storefront', label: t('terms.service.storefront'), icon: IconBuildingStore },
    access.builds && { to: '/manage/lockers', label: t('builder.title'), icon: IconLayoutGrid },
    access.payments && { to: '/manage/payments', label: t('payments.title'), icon: IconCash },
    access.builds && { to: '/manage/links', label: t('links.title'), icon: IconLink },
    access.admin && { to: '/iam/users', label: t('members.title'), icon: IconUsers },
    access.admin && { to: '/iam/groups', label: t('groups.title'), icon: IconUsersGroup },
    access.admin && { to: '/iam/assetgroups', label: t('assetGroups.title'), icon: IconBoxMultiple },
    access.admin && { to: '/integration/vipps', label: t('integrations.vipps.title'), icon: IconPlugConnected },
    access.admin && { to: '/integration/entraid', label: t('integrations.entra.title'), icon: IconAddressBook },
    access.admin && { to: '/integration/scim', label: t('integrations.scim.page'), icon: IconAddressBook },
    access.admin && { to: '/admin/permissions', label: t('permissions.title'), icon: IconUserShield },
    access.keys && { to: '/admin/api', label: t('keys.title'), icon: IconApi },
    access.history && { to: '/history', label: t('frame.history'), icon: IconClockHour4 },
    access.admin && { to: '/admin', label: t('frame.admin'), icon: IconShieldCog },
    { to: '/profile', label: t('frame.profile'), icon: IconUser },
    { to: '/settings', label: t('frame.settings'), icon: IconSettings },
    { to: '/token', label: t('account.token.title'), icon: IconKey },
  ];
  return places.filter((place) => place !== false);
};
