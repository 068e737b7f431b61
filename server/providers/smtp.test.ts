import { describe, expect, it } from 'vitest';
import { connectionTo, onWire } from './smtp.ts';

it.each([
  ['kari@blåbær.no', 'kari@xn--blbr-roah.no'],
  ['kåre@blåbær.no', 'kåre@xn--blbr-roah.no'],
  ['kari@example.test', 'kari@example.test'],
  ['kari@xn--blbr-roah.no', 'kari@xn--blbr-roah.no'],
])('a letter to %s goes to %s', (address, wire) => expect(onWire(address)).toBe(wire));

describe('a mail server', () => {
  it('gets a login over TLS alone, unless it stands on this machine', () => {
    expect(connectionTo('smtp://us:secret@mail.example.org')).toEqual({
      host: 'mail.example.org',
      port: 587,
      secure: false,
      requireTLS: true,
    });
    expect(connectionTo('smtps://us:secret@mail.example.org')).toMatchObject({ port: 465, secure: true, requireTLS: false });
    for (const url of [
      'smtp://us:secret@127.0.0.1:2525',
      'smtp://us:secret@[::1]:2525',
      'smtp://us:secret@localhost',
      'smtp://relay.example.org',
    ])
      expect(connectionTo(url)).toMatchObject({ secure: false, requireTLS: false });
  });
});
