import type { books as en } from '../en/books.ts';
import type { Translated } from '../shape.ts';

export const books = {
  action: 'Sammenlign med Vipps',
  title: 'Sammenlign med Vipps',
  intro: 'Hva Vipps sier om hver betaling som ble startet eller endret den dagen, ved siden av det som står her.',
  day: 'Dag',
  ours: 'Her',
  theirs: 'Hos Vipps',
  todo: 'Hva du gjør',
  same: 'Likt',
  nothing: 'Ingenting',
  captured: '{{amount}} trukket',
  refunded: '{{amount}} refundert',
  allSame_one: 'Betalingen er lik begge steder.',
  allSame_other: 'Alle {{count}} betalinger er like begge steder.',
  differ_one: '{{count}} betaling er ulik.',
  differ_other: '{{count}} betalinger er ulike.',
  soFar_one: '{{count}} betaling er sammenlignet så langt.',
  soFar_other: '{{count}} betalinger er sammenlignet så langt.',
  empty: 'Ingen betaling med Vipps ble startet eller endret den dagen.',
  again: 'Sammenlign på nytt',
  more: 'Sammenlign flere',
  todos: {
    wait: 'Vent: Vipps er bedt om noe og har ikke svart ennå. Det ordner seg av seg selv.',
    'taken-there':
      'Det er trukket mer hos Vipps enn det som står her. Vipps ble spurt på nytt nå: sammenlign igjen om et minutt. Blir det slik, trekker noen i Vipps’ egen portal.',
    'returned-there':
      'Det er refundert mer hos Vipps enn det som står her. Vipps ble spurt på nytt nå: sammenlign igjen om et minutt. Blir det slik, refunderer noen i Vipps’ egen portal.',
    'open-there':
      'Betaleren kan fortsatt bli belastet hos Vipps. Vipps ble spurt på nytt nå: sammenlign igjen om et minutt. Blir det slik, annuller den i Vipps’ egen portal.',
    'ended-there':
      'Den er annullert hos Vipps. Vipps ble spurt på nytt nå: sammenlign igjen om et minutt. Er varene borte, be betaleren betale på nytt.',
    'less-there': 'Det som står her, skjedde ikke hos Vipps. Skriv til Vipps med referansen, og krev ingenting av betaleren før de svarer.',
    'unknown-there': 'Vipps kjenner den ikke. Se om nøklene er fra salgsstedet, og fra test eller produksjon, som den ble startet med.',
    'not-believed': 'Beløpene hos Vipps kan ikke stemme, og ingenting er endret her. Skriv til Vipps med referansen.',
    unread: 'Vipps kunne ikke spørres. Prøv igjen senere; fortsetter det, test nøklene under Integrasjoner.',
  },
} as const satisfies Translated<typeof en>;
