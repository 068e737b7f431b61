import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { accountModule } from './accounts/routes.ts';
import { cabinetModule } from './cabinets/routes.ts';
import { companyModule } from './companies/routes.ts';
import { entraModule } from './directory/entra-routes.ts';
import { directoryModule } from './directory/routes.ts';
import { doorModule } from './doors/routes.ts';
import { exportModule } from './exports/routes.ts';
import { historyModule } from './history/routes.ts';
import { integrationModule, shopHookModule } from './integrations/routes.ts';
import { linkModule } from './links/routes.ts';
import { lockerModule } from './lockers/routes.ts';
import { assetModule } from './assets/routes.ts';
import { assetGroupModule } from './asset-groups/routes.ts';
import { groupModule } from './groups/routes.ts';
import { keyModule } from './keys/routes.ts';
import { permissionModule } from './permissions/routes.ts';
import { messageModule, smsReportModule } from './messages/routes.ts';
import { templateModule } from './messages/template-routes.ts';
import { webhookModule } from './webhooks/routes.ts';
import { policyModule } from './policies/routes.ts';
import { callAgain } from './occupations/call-again.ts';
import { hearMessage } from './occupations/hear-message.ts';
import { occupationModule } from './occupations/routes.ts';
import { paymentModule, vippsHookModule } from './payments/routes.ts';
import { scimModule } from './scim/routes.ts';
import { systemModule } from './system/routes.ts';
import { shopModule } from './shop/routes.ts';
import { pickupModule } from './pickup/routes.ts';

/** Every noun of the API, in the order of the contract's routes. */
export const modules: readonly ((app: FastifyInstance, deps: Deps) => void)[] = [
  companyModule,
  accountModule,
  cabinetModule,
  lockerModule,
  doorModule,
  linkModule,
  occupationModule,
  paymentModule,
  vippsHookModule,
  entraModule,
  integrationModule,
  shopHookModule,
  directoryModule,
  pickupModule,
  historyModule,
  exportModule,
  systemModule,
  messageModule(callAgain),
  smsReportModule(hearMessage),
  templateModule,
  webhookModule,
  assetModule,
  assetGroupModule,
  policyModule,
  keyModule,
  groupModule,
  permissionModule,
  scimModule,
  shopModule,
];
