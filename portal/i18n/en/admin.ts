/** Texts of the administrator's screens. */
export const admin = {
  intro: 'How your company is registered in Hatchway.',
  company: 'Company',
  name: 'Name',
  orgNumber: 'Organisation number',
  country: 'Country',
  timeZone: 'Time zone',
  id: 'Tenant id',
  build: 'Build',
} as const;
