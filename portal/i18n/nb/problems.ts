import type { Translated } from '../shape.ts';
import type { problems as en } from '../en/problems.ts';

export const problems = {
  malformed: 'Forespørselen ble ikke forstått.',
  unauthenticated: 'Du er ikke lenger logget inn.',
  forbidden: 'Du har ikke lov til dette. Be en administrator om rettigheten.',
  'company-gone': 'Bedriften din finnes ikke lenger i Hatchway.',
  suspended: 'Bedriften er sperret.',
  'not-found': 'Det finnes ikke, eller du kan ikke se det.',
  'no-document': 'Bedriften har ingen opplysninger ennå.',
  'not-available': 'Denne versjonen av Hatchway kan ikke gjøre det ennå.',
  stale: 'Noen endret dette i mellomtiden, så ingenting ble gjort. Se hva som står nå, og gjør det på nytt hvis det fortsatt er riktig.',
  'still-running': 'Den samme forespørselen behandles fortsatt.',
  gone: 'Det er ikke lenger gyldig.',
  number: 'Dette er ikke et telefonnummer. Uten + og landkode leses det som et nummer i bedriftens land.',
  'no-sms': 'Dette nummeret tar ikke imot SMS: det er en fasttelefon.',
  rule: 'Opplysningene bryter en regel.',
  'unknown-reference': 'Det nevner noe som ikke finnes.',
  'key-reused': 'Den samme forespørselen ble sendt med annet innhold.',
  'too-many-requests': 'For mange forsøk. Vent litt.',
  defect: 'Noe gikk galt hos oss.',
  unavailable: 'En del av tjenesten er borte et øyeblikk.',
  'unknown-link': 'Lenken eller koden er ikke gyldig.',
  'wrong-code': 'Koden er feil.',
  network: 'Serveren kan ikke nås. Sjekk forbindelsen.',
  field: 'Dette kan ikke lagres slik. Se over det.',
  other: 'Det gikk ikke.',
} as const satisfies Translated<typeof en>;
