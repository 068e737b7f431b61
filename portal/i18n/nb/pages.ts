import type { Translated } from '../shape.ts';
import type { pages as en } from '../en/pages.ts';

export const pages = {
  forbidden: {
    title: 'Bedriften din er ikke tilgjengelig',
    text: 'Du er logget inn, men bedriften din er sperret eller finnes ikke lenger i Hatchway. Spør administratoren eller leverandøren.',
    endUser: 'Til hentesiden',
    logout: 'Logg ut',
  },
  elsewhere: {
    row: 'Dette tilhører {{name}}',
    rowText: 'Du er i {{here}} nå.',
    left: 'Du var i {{name}} her. Du valgte {{here}} i en annen fane, og det gjelder alle.',
    go: 'Bytt til {{name}}',
    back: 'Tilbake til {{name}}',
    stay: 'Bli i {{here}}',
  },
  notFound: {
    title: 'Denne siden finnes ikke',
    text: 'Adressen kan være gammel eller feilskrevet.',
    typed: 'Det som følger etter /portal/',
    go: 'Gå dit',
    home: 'Til oversikten',
  },
} as const satisfies Translated<typeof en>;
