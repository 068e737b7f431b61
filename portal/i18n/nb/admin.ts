import type { Translated } from '../shape.ts';
import type { admin as en } from '../en/admin.ts';

export const admin = {
  intro: 'Slik er bedriften registrert i Hatchway.',
  company: 'Bedrift',
  name: 'Navn',
  orgNumber: 'Organisasjonsnummer',
  country: 'Land',
  timeZone: 'Tidssone',
  id: 'Bedriftens id',
  build: 'Versjon',
} as const satisfies Translated<typeof en>;
