import type { Translated } from '../shape.ts';
import type { sureInside as en } from '../en/sure-inside.ts';

export const sureInside = {
  nothing: {
    title: 'Sensoren merker ingenting i {{tag}}',
    text: 'Ligger det virkelig der? Er du ikke sikker, så se etter først. Sier du ja, er det ditt ord som gjelder.',
  },
  open: {
    title: '{{tag}} står fortsatt åpen',
    text: 'Lukk døren først: hvem som helst kan nå inn. Sier du ja likevel, er det ditt ord som gjelder.',
  },
  shut: { title: '{{tag}} er lukket', text: 'Ligger det inne?' },
  unheard: { title: 'Vi vet ikke om {{tag}} er åpen', text: 'Ligger det inne?' },
  refill: {
    nothing: 'Har du virkelig lagt i mer? Er du ikke sikker, så se etter først. Sier du ja, teller vi det.',
    open: 'Lukk døren først: hvem som helst kan nå inn. Sier du ja likevel, teller vi det du la i.',
    shut: 'Har du lagt i mer?',
    unheard: 'Har du lagt i mer?',
    doubt: 'Noen må fortsatt sjekke hva som lå der fra før.',
  },
  shutFirst: 'Lukk døren først',
  yes: 'Ja, det ligger inne',
  look: 'Åpne og se etter',
} as const satisfies Translated<typeof en>;
