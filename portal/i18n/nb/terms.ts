import type { Translated } from '../shape.ts';
import type { terms as en } from '../en/terms.ts';

export const terms = {
  service: {
    delivery: 'Levering',
    selfservice: 'Selvbetjening',
    storage: 'Oppbevaring',
    lending: 'Utlånsskap',
    consumable: 'Forbruksvareskap',
    sale: 'Salg',
    recall: 'Tilbakekalling',
    'drop-off': 'Innlevering',
    'lock-control': 'Låsestyring',
    storefront: 'Butikk',
  },
} as const satisfies Translated<typeof en>;
