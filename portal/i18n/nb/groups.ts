import type { Translated } from '../shape.ts';
import type { groups as en } from '../en/groups.ts';

export const groups = {
  title: 'Grupper',
  one: 'Gruppe',
  intro: 'Personer som nevnes sammen; tillatelser gir grupper tilgang til luker.',
  adminOnlyText: 'Grupper forvaltes av administratorene i bedriften din.',
  search: 'Navn eller beskrivelse',
  name: 'Navn',
  nameNeeded: 'Gi den et navn.',
  description: 'Beskrivelse',
  members: 'Medlemmer',
  permissions: 'Tillatelser',
  created: 'Opprettet',
  make: 'Ny gruppe',
  made: '{{name}} er opprettet',
  saved: '{{name}} er lagret',
  change: 'Endre {{name}}',
  delete: 'Slett {{name}}',
  deleteTitle: 'Slette {{name}}?',
  deleteEmpty: 'Ingen er med i den.',
  deleteText_one:
    '{{count}} person går ut av gruppen og mister med en gang det tillatelsene ga gjennom den. Personen blir værende i bedriften.',
  deleteText_other:
    '{{count}} personer går ut av gruppen og mister med en gang det tillatelsene ga gjennom den. De blir værende i bedriften.',
  deleted: '{{name}} er slettet',
  policyNames: 'En retningslinje gjelder denne gruppen',
  empty: 'Ingen gruppe ennå',
  emptyText: 'Opprett en første, legg personer i den, og gi den en tillatelse.',
  add: 'Legg til et medlem …',
  nobodyFound: 'Ingen som ikke allerede er med',
  nobody: 'Ingen er med ennå.',
  takeOut: 'Ta {{name}} ut',
  noPermission: 'Ingen tillatelse nevner denne gruppen: å være med gir ingenting ennå.',
  toPermissions: 'Til tillatelsene',
  onLockers_one: 'på {{count}} luke',
  onLockers_other: 'på {{count}} luker',
} as const satisfies Translated<typeof en>;
