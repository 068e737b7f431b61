import type { Translated } from '../shape.ts';
import type { admin as en } from '../en/admin.ts';

export const admin = {
  title: 'Administrator',
  intro: 'Bedriften din: hvordan den er registrert, hvordan den virker, og hva som er koblet til.',
  adminOnly: 'For administratorer',
  adminOnlyText: 'Dette forvaltes av administratorene i bedriften din. Spør en av dem hvis noe skal endres.',
  sectionsLabel: 'Administratorens deler',
  sections: {
    company: 'Bedrift',
    settings: 'Innstillinger',
    alerts: 'Varsler',
    labels: 'Statusetiketter',
    policies: 'Retningslinjer',
    templates: 'Meldingstekster',
    webhooks: 'Webhooks',
    integrations: 'Integrasjoner',
    system: 'Systemtilstand',
  },
  people: 'Personer og tilgang',
  links: { users: 'Brukere', groups: 'Grupper', permissions: 'Tillatelser', api: 'API-nøkler' },
  name: 'Navn',
  orgNumber: 'Organisasjonsnummer',
  country: 'Land',
  timeZone: 'Tidssone',
  id: 'Bedriftens id',
  build: 'Versjon',
} as const satisfies Translated<typeof en>;
