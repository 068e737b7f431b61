import { expect, it } from 'vitest';
import { networkOf } from './network.ts';

it('counts IPv4 by the address, however it is heard, and IPv6 by the first half of it', () => {
  const told = (...addresses: string[]) => new Set(addresses.map(networkOf));
  expect(told('203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109')).toEqual(new Set(['203.0.113.9']));
  expect(told('2001:db8:0:1::5', '2001:DB8::1:ffff:0:0:1', '2001:0db8:0000:0001:0000:0000:0000:0007')).toEqual(
    new Set(['2001:db8:0:1::/64']),
  );
  expect(told('2001:db8:0:2::5', '2001:db8::2:0:0:0:5')).toEqual(new Set(['2001:db8:0:2::/64']));
  expect(told('::1', '::')).toEqual(new Set(['0:0:0:0::/64']));
  expect(told('fe80::1%eth0', 'fe80::2')).toEqual(new Set(['fe80:0:0:0::/64']));
  expect(told('::1.2.3.4')).toEqual(new Set(['0:0:0:0::/64']));
  expect(told('not an address')).toEqual(new Set(['not an address']));
});

it.each([
  ['203.0.113.9:4711', '203.0.113.9'],
  [' 203.0.113.9 ', '203.0.113.9'],
  ['"203.0.113.9"', '203.0.113.9'],
  ['[2001:db8:0:1::5]:443', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::6]', '2001:db8:0:1::/64'],
  ['"[2001:db8:0:1::7]:50123"', '2001:db8:0:1::/64'],
  ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
  ['[fe80::1%25eth0]:80', 'fe80:0:0:0::/64'],
  ['2001:db8:0:1::5%2', '2001:db8:0:1::/64'],
  ['unknown', 'unknown'],
  ['_hidden:80', '_hidden:80'],
])('counts %j, as a proxy may write it, by %s', (address, network) => expect(networkOf(address)).toBe(network));
