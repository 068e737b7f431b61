import { describe, expect, it } from 'vitest';
import { isElsewhere, isOtherMerchant } from '../integration.ts';

describe('settings of an integration', () => {
  const merchant = { merchantSerialNumber: '123456', clientId: 'client' };

  it.each([
    [{ clientId: 'other' }, false],
    [{ testMode: false }, false],
    [{ testMode: true }, true],
    [{ merchantSerialNumber: '654321' }, true],
  ])('name another merchant with %j: %s', (change, isOther) => {
    expect(isOtherMerchant(merchant, { ...merchant, ...change })).toBe(isOther);
    expect(isOtherMerchant({ ...merchant, ...change }, merchant)).toBe(isOther);
  });

  it.each([
    [' https://shop.test/ ', false],
    ['https://shop.test/wc', true],
    [undefined, true],
  ])('name another address than https://shop.test with %s: %s', (url, elsewhere) =>
    expect(isElsewhere({ url: 'https://shop.test' }, { url })).toBe(elsewhere),
  );
});
