import type { CallInput } from '@hatchway/contract/client.ts';

/** Fixed ids, so that a later start knows its own companies again, and refuses those it did not make. */
export const demoCompany = {
  id: '6d0b3a52-41c7-4a8e-9d13-0f5e2c7a9b01',
  name: 'Nordlys Logistikk AS',
  licenses: ['delivery', 'sale', 'sales', 'lending', 'storage', 'consumable', 'recall', 'integrator'],
  admin: { name: 'Astrid Admin', email: 'admin@demo.test', tlf: '+4740000001' },
} as const;

export const otherCompany = {
  id: 'b8e4f7c9-2d15-4f60-8a37-91d6c3e5a802',
  name: 'Fjordgata Bibliotek',
  licenses: ['delivery', 'lending'],
  admin: { name: 'Oskar Other', email: 'admin@other.test', tlf: '+4740000008' },
} as const;

/** The first company's public shop, as its address names it. */
export const demoShop = 'nordlys';

const companies = [demoCompany, otherCompany];
export const companyIds: ReadonlySet<string> = new Set(companies.map((company) => company.id));

/** Sandbox only: production refuses such a password, and these people too. */
export const demoPassword = 'demo';

type Roles = NonNullable<NonNullable<CallInput<'POST /companies/{tenant}/invitations'>['body']>['roles']>;
export type DemoPerson = { email: string; name: string; roles: Roles; what: string };

/** Whom the first company's administrator invites, in this order. */
export const demoPeople: DemoPerson[] = [
  {
    email: 'counter@demo.test',
    name: 'Kari Counter',
    roles: ['delivery_manager'],
    what: 'puts parcels in, hands them out (delivery_manager)',
  },
  { email: 'shop@demo.test', name: 'Sindre Shop', roles: ['sale_manager'], what: 'runs the storefront (sale_manager)' },
  { email: 'scoped@demo.test', name: 'Selma Scoped', roles: [], what: 'no role, delivery scope on one cabinet' },
  { email: 'guest@demo.test', name: 'Gina Guest', roles: [], what: 'no access: lands on the end-user site' },
  { email: 'both@demo.test', name: 'Bo Both', roles: ['delivery_manager'], what: 'in both companies: chooses at sign-in' },
];

/** Whom the second company's administrator invites. */
export const otherPeople: DemoPerson[] = [{ email: 'both@demo.test', name: 'Bo Both', roles: ['admin'], what: 'administrator here' }];

/** In the order in which `npm start` prints them. */
export const logins: { email: string; what: string }[] = [
  { email: demoCompany.admin.email, what: 'administrator' },
  ...demoPeople.map(({ email, what }) => ({ email, what })),
  { email: otherCompany.admin.email, what: 'administrator of a second company' },
];

/** Taken over from the sandbox's directory; whoever types their address is sent there. */
export const demoMember = 'bjorn.dahl@demo.onmicrosoft.test';

const WHAT: Readonly<Record<string, { en: string; nb: string }>> = {
  [demoCompany.admin.email]: { en: 'administrator', nb: 'administrator' },
  'counter@demo.test': { en: 'puts parcels in, hands them out', nb: 'legger inn og leverer ut pakker' },
  'shop@demo.test': { en: 'runs the storefront', nb: 'driver butikken' },
  'scoped@demo.test': { en: 'delivery on one cabinet', nb: 'levering i ett skap' },
  'guest@demo.test': { en: 'no access to the portal', nb: 'uten tilgang til portalen' },
  'both@demo.test': { en: 'in two companies', nb: 'i to bedrifter' },
  [otherCompany.admin.email]: { en: 'runs another company', nb: 'driver en annen bedrift' },
};

/** Whom the sign-in page offers: the counter first, where the README's walk begins. */
export const demoSignIns = [demoPeople[0], demoCompany.admin, ...demoPeople.slice(1), otherCompany.admin].flatMap((person) => {
  const what = person && WHAT[person.email];
  return what ? [{ login: person.email, password: demoPassword, name: person.name, what }] : [];
});
