export const delivery = (where: { lockerId?: string; size?: 'S' }) => ({
  type: 'delivery',
  assetText: 'Parcel',
  receiver: { name: 'Ingrid Solberg', email: 'ingrid@bench.test' },
  ...where,
});
