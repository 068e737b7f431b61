/** Texts of the administrator's screens. */
export const admin = {
  intro: 'Your company, as Hatchway knows it.',
  company: 'Company',
  name: 'Name',
  orgNumber: 'Organisation number',
  country: 'Country',
  timeZone: 'Time zone',
  id: 'Tenant id',
  build: 'Build',
} as const;
