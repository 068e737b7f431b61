import type { storefront as en } from '../en/storefront.ts';
import type { Translated } from '../shape.ts';

export const storefront = {
  intro: 'Det som er for salg i lukene deres: pris, antall, og om det er lagt ut.',
  goods: 'Varer',
  offer: 'Legg ut varer',
  empty: 'Ingenting er for salg ennå',
  emptyText: 'Legg varer i en luke med en pris. De står her.',
  left_one: '{{count}} igjen',
  left_other: '{{count}} igjen',
  held_one: '({{count}} til betales nå)',
  held_other: '({{count}} til betales nå)',
  inDoor: 'i {{tag}}',
  unnamed: 'Varer i {{tag}}',
  offered: 'For salg',
  notOffered: 'Ikke lagt ut ennå',
  published: '{{name}} er for salg',
  manage: 'Åpne, ta ut …',
  refill: 'Etterfyll',
  refillTitle: 'Etterfyll {{name}}',
  refilled: '{{count}} lagt inn: {{name}}',
  added: 'Antall lagt inn',
  addedText_one: '{{count}} ligger i luken ifølge registeret.',
  addedText_other: '{{count}} ligger i luken ifølge registeret.',
  wrongAdded: 'Skriv hvor mange som ble lagt inn, 1 eller flere.',
  shop: 'Offentlig butikk',
  notOpen: 'Ikke åpen ennå',
  notOpenText:
    'Denne versjonen har ingen offentlig butikkside: kundene kan ikke kjøpe selv ennå, og derfor finnes det verken lenke eller QR-kode. Ta betalingen her og utlever varene.',
  preview: 'Det den vil vise',
  nothing: 'Ingenting er lagt ut nå.',
} as const satisfies Translated<typeof en>;
