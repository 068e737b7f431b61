import {
  type Icon,
  IconBoxMultiple,
  IconBuildingWarehouse,
  IconClockHour4,
  IconHome,
  IconKey,
  IconLock,
  IconPackageImport,
  IconPackages,
  IconSearch,
  IconSettings,
  IconShieldCog,
  IconTool,
  IconUser,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { Visible } from '../app/access.ts';

export type Place = { to: string; label: string; icon: Icon };

/** The screens that are open in this version and that this person may use; the palette and the tests of the menus read it. */
export const placesFor = (access: Visible, t: TFunction): Place[] => {
  const places: (Place | false)[] = [
    { to: '/', label: t('frame.dashboard'), icon: IconHome },
    access.may('delivery') && { to: '/services/delivery', label: t('terms.service.delivery'), icon: IconPackageImport },
    access.may('selfservice') && { to: '/services/selfservice', label: t('terms.service.selfservice'), icon: IconTool },
    access.may('lock-control') && { to: '/services/lock-control', label: t('terms.service.lock-control'), icon: IconLock },
    access.manage && { to: '/manage', label: t('frame.manage'), icon: IconBuildingWarehouse },
    access.manage && { to: '/manage/occupations', label: t('manage.areas.occupations'), icon: IconPackages },
    access.manage && { to: '/services/manageoccupation', label: t('manage.areas.find'), icon: IconSearch },
    access.admin && { to: '/iam/assetgroups', label: t('assetGroups.title'), icon: IconBoxMultiple },
    access.history && { to: '/history', label: t('frame.history'), icon: IconClockHour4 },
    access.admin && { to: '/admin', label: t('frame.admin'), icon: IconShieldCog },
    { to: '/profile', label: t('frame.profile'), icon: IconUser },
    { to: '/settings', label: t('frame.settings'), icon: IconSettings },
    { to: '/token', label: t('account.token.title'), icon: IconKey },
  ];
  return places.filter((place) => place !== false);
};
