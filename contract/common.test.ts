import { isEmail } from '@hatchway/domain/receiver.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { email, id, line, lines } from './common.ts';
import { routes } from './routes.ts';

it('an id in capitals is the same id', () => {
  const written = '019A2B3C-4D5E-7F60-8A1B-2C3D4E5F6071';
  expect(id.parse(written)).toBe(written.toLowerCase());
  expect(id.safeParse(`${written}0`).success).toBe(false);
});

describe('an e-mail address', () => {
  it.each([
    ['kari@example.test', true],
    ['Kari.O’Hara+post@Mail.example.test', true],
    ['kåre@example.test', true],
    ['kari@blåbær.no', true],
    ['kari@xn--blbr-roah.no', true],
    ['kari@пример.рф', true],
    ['kari@例え.jp', true],
    ['kari.n@a-b.example.test', true],
    ['.a@x.no', false],
    ['a.@x.no', false],
    ['a..b@x.no', false],
    ['a@.x.no', false],
    ['a@x..no', false],
    ['a@blåbær-.no', false],
    ['kari@example', false],
    ['kari@@example.test', false],
    ['kari berg@example.test', false],
    ['<kari@example.test>', false],
    ['kari@-example.test', false],
    ['kari\u0000@example.test', false],
    [`kari@${'a'.repeat(250)}.test`, false],
    [`kari@${'a'.repeat(63)}.test`, true],
    [`kari@${'a'.repeat(64)}.test`, false],
    ['kari@10.0.0.1', false],
    ['kari@example.123', false],
    ['kari@gmail.c', false],
    ['kari@3m.4u', true],
    ['kari@x.xn--p1ai', true],
    ['kari@1.2.no', true],
    ['kari@例.家', true],
    ["o'hara+1@a--b.no", true],
    ['kari@x.no.', false],
    ['kari@x_y.no', false],
    ['kari@[10.0.0.1]', false],
    ['mailto:kari@x.no', false],
    ['kari@x.no;ola@x.no', false],
    ['kari@x.no?cc=ola', false],
    ['kari@हिन्दी.कॉम', true],
    ['a@b@x.no', false],
  ])('%o is one on the wire and on the screens alike: %o', (text, is) => {
    expect([email.safeParse(text).success, isEmail(text)]).toEqual([is, is]);
  });
});

describe('what somebody types', () => {
  type Json = { [key: string]: unknown };
  const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
  /** Where a body takes a string of any characters at all. */
  const free = (schema: unknown, at: string): string[] => {
    if (Array.isArray(schema)) return schema.flatMap((one) => free(one, at));
    if (!isJson(schema)) return [];
    const told = ['pattern', 'format', 'enum', 'const', 'allOf'].some((word) => word in schema);
    const inside = Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'properties' && isJson(value)) return Object.entries(value).flatMap(([field, one]) => free(one, `${at}.${field}`));
      return key === 'properties' ? [] : free(value, at);
    });
    return schema['type'] === 'string' && !told ? [at, ...inside] : inside;
  };

  /** What is compared with what is there. */
  const LOOKED_UP = ['code', 'token', 'key.link', 'key.purchase', 'key.token', 'doorTag', 'rev', 'licenses', 'scopes', 'services'];
  /** Of a form that a rule asks for: of a wall, an address, a price, a time zone, an integration's kind; or data of a program's own. */
  const RULED = ['columns.doors.doorTag', 'email', 'payer.email', 'price.currency', 'settings', 'secrets', 'timeZone'];
  const DATA = ['csv', 'data', 'details', 'fw', 'model'];

  it('has no control characters, save where it is looked up, or held to a form by a rule of its own', () => {
    const bodies = routes.flatMap((one) => {
      const body = 'body' in one ? one.body : undefined;
      return body instanceof z.ZodType
        ? free(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), `${one.method} ${one.path} `)
        : [];
    });
    expect([...new Set(bodies.map((one) => one.split(' .')[1] ?? one))].toSorted()).toEqual([...LOOKED_UP, ...RULED, ...DATA].toSorted());
  });

  it('may have several lines where it is no name', () => {
    expect(lines(20).parse('Mon\nTue\t8')).toBe('Mon\nTue\t8');
    expect(line(20).parse('Mon\nTue\t8')).toBe('Mon Tue 8');
    for (const text of ['a\u001b[31mred', 'bell\u0007', 'nul\u0000', 'del\u007f'])
      expect([line(20).safeParse(text).success, lines(20).safeParse(text).success]).toEqual([false, false]);
  });
});
