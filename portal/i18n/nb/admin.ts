import type { Translated } from '../shape.ts';
import type { admin as en } from '../en/admin.ts';

export const admin = {
  intro: 'Bedriften din, slik Hatchway kjenner den.',
  company: 'Bedrift',
  name: 'Navn',
  orgNumber: 'Organisasjonsnummer',
  country: 'Land',
  timeZone: 'Tidssone',
  id: 'Bedriftens id',
  build: 'Bygg',
} as const satisfies Translated<typeof en>;
