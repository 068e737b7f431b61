/** The field's terms that the dashboard says: a part of the first load. */
export const terms = {
  service: {
    delivery: 'Delivery',
    selfservice: 'Self-service',
    storage: 'Storage',
    lending: 'Lending Locker',
    consumable: 'Consumables Locker',
    sale: 'Sale',
    recall: 'Recall',
    'drop-off': 'Drop-Off',
    'lock-control': 'Lock control',
    storefront: 'Storefront',
  },
} as const;
