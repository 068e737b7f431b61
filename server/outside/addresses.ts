import { BlockList, isIP } from 'node:net';

/** IPv4 that is not the public internet: the IANA special-purpose registry, multicast and what is reserved. */
const NOT_PUBLIC_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers' NAT, and some clouds' own services
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local: the clouds' metadata services answer here
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Of IPv6 only 2000::/3 is the internet; these parts of it are not, or carry an IPv4 address inside that nobody checked. */
const NOT_PUBLIC_V6: readonly [string, number][] = [
  ['2001::', 23], // Teredo, benchmarking, ORCHID
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) closed.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_V6) closed.addSubnet(net, prefix, 'ipv6');
const internet = new BlockList();
internet.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an IP address (no name, no brackets) is one of the public internet. */
export const isPublic = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && internet.check(address, 'ipv6') && !closed.check(address, 'ipv6');
};

export const isLoopback = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
};
