import type { Translated } from '../shape.ts';
import type { assetGroups as en } from '../en/asset-groups.ts';

export const assetGroups = {
  title: 'Gjenstandsgrupper',
  intro: 'Gjenstander som hører sammen, for eksempel alt verktøy eller alle nøkler.',
  name: 'Navn',
  namePlaceholder: 'Elektroverktøy',
  nameNeeded: 'Gi den et navn.',
  description: 'Beskrivelse',
  descriptionPlaceholder: 'Hva som hører til i den',
  descriptionNeeded: 'Si hva som hører til i den.',
  count: 'Gjenstander',
  created: 'Opprettet',
  make: 'Ny gjenstandsgruppe',
  made: '{{name}} er opprettet',
  change: 'Endre {{name}}',
  saved: '{{name}} er lagret',
  delete: 'Slett {{name}}',
  deleteTitle: 'Slette {{name}}?',
  deleteEmpty: 'Det er ingen gjenstander i den.',
  deleteText_one: '{{count}} gjenstand går ut av gruppen. Selve gjenstanden blir værende.',
  deleteText_other: '{{count}} gjenstander går ut av gruppen. Selve gjenstandene blir værende.',
  deleted: '{{name}} er slettet',
  empty: 'Ingen gjenstandsgruppe ennå',
  emptyText: 'Opprett en første, og legg gjenstander i den.',
  adminOnly: 'For administratorer',
  adminOnlyText: 'Gjenstandsgrupper forvaltes av administratorene i bedriften din.',
} as const satisfies Translated<typeof en>;
