import { isIPv6 } from 'node:net';

/**
 * Whom attempts count against: an IPv4 address, or the first 64 bits of an IPv6 one as `a:b:c:d::/64`, of which every customer of a
 * provider has at least as many to spend. What is no IP address is given back as it is.
 */
export const networkOf = (address: string): string => {
  // A proxy may say the port too, which is another for each connection: 203.0.113.9:4711, "[2001:db8::1]:443".
  const [, four, six = ''] = /^[\s"[]*(?:(\d+(?:\.\d+){3})(?::\d+)?|([\da-f:.]+?)(?:%[^\]]*)?(?:\](?::\d+)?)?)[\s"]*$/i.exec(address) ?? [];
  if (four !== undefined || !isIPv6(six)) return four ?? address;
  // The URL parser writes each in one way: in lower case, hexadecimal throughout, with one gap at most.
  const [head = '', tail] = new URL(`http://[${six}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last].map((group) => Number.parseInt(group, 16));
  const [high = 0, low = 0] = all.slice(6);
  // ::ffff:192.0.2.1 is an IPv4 address, heard on a socket for both.
  if (all.slice(0, 5).every((group) => group === 0) && all[5] === 0xff_ff) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const net = all.slice(0, 4).map((group) => group.toString(16));
  return `${net.join(':')}::/64`;
};
