import type { books as en } from '../en/books.ts';
import type { Translated } from '../shape.ts';

export const books = {
  action: 'Sammenlign med Vipps',
  title: 'Sammenlign med Vipps',
  intro: 'Hver betaling som ble startet eller endret den dagen: hva Vipps sier, og hva vi har.',
  day: 'Dag',
  ours: 'Her',
  theirs: 'Hos Vipps',
  todo: 'Hva du gjør',
  same: 'Likt',
  nothing: 'Ingenting',
  captured: '{{amount}} fakturert',
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
    wait: 'Vent: vi har bedt Vipps om noe og ikke fått svar ennå. Det ordner seg av seg selv.',
    'taken-there':
      'Vipps har fakturert mer enn vi har her. Vi spurte på nytt nå: sammenlign om et minutt. Er det fortsatt slik, fakturerer noen i Vipps’ egen portal.',
    'returned-there':
      'Vipps har refundert mer enn vi har her. Vi spurte på nytt nå: sammenlign om et minutt. Er det fortsatt slik, refunderer noen i Vipps’ egen portal.',
    'open-there':
      'Vipps kan fortsatt belaste betaleren. Vi spurte på nytt nå: sammenlign om et minutt. Er det fortsatt slik, kanseller den i Vipps’ egen portal.',
    'ended-there': 'Vipps har kansellert den. Vi spurte på nytt nå: sammenlign om et minutt. Er varene borte, be betaleren betale på nytt.',
    'less-there': 'Vipps har ikke gjort det vi har her. Send referansen til Vipps, og krev ingenting av betaleren før de svarer.',
    'unknown-there': 'Vipps kjenner den ikke. Sjekk nøklene: samme salgsenhet, og samme test eller produksjon, som da den startet?',
    'not-believed': 'Beløpene hos Vipps kan ikke stemme, så vi endret ingenting. Send referansen til Vipps.',
    unread: 'Vi fikk ikke spurt Vipps. Prøv senere; fortsetter det, prøv nøklene under Integrasjoner.',
  },
} as const satisfies Translated<typeof en>;
