import type { Service } from '@hatchway/domain/terms.ts';
import {
  type Icon,
  IconArrowsLeftRight,
  IconBuildingStore,
  IconInbox,
  IconLock,
  IconLuggage,
  IconPackageImport,
  IconStack2,
  IconTag,
  IconTool,
  IconTruckReturn,
} from '@tabler/icons-react';

/** One picture a service, wherever it is named. */
export const SERVICE_ICON: Readonly<Record<Service, Icon>> = {
  delivery: IconPackageImport,
  selfservice: IconTool,
  storage: IconLuggage,
  lending: IconArrowsLeftRight,
  consumable: IconStack2,
  sale: IconTag,
  storefront: IconBuildingStore,
  recall: IconTruckReturn,
  'drop-off': IconInbox,
  'lock-control': IconLock,
};
