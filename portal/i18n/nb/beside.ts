import type { beside as en } from '../en/beside.ts';
import type { Translated } from '../shape.ts';

export const beside = {
  cabinets: 'Skap',
  cabinetsText: 'Åpner sandkassens skap ved denne luken, i en ny fane',
  inbox: 'Innboks',
  inboxText: 'Åpner sandkassens innboks ved denne meldingen, i en ny fane',
  vipps: 'Betalerens telefon',
  vippsText: 'Åpner sandkassens telefon for den som betaler, i en ny fane',
} as const satisfies Translated<typeof en>;
