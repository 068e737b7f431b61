import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outgoing } from './shape.ts';

const row = z.object({
  id: z.uuid(),
  count: z.int(),
  at: z.iso.datetime().nullable(),
  state: z.enum(['on', 'off']),
  note: z.string().optional(),
  tags: z.array(z.object({ name: z.string() })),
  data: z.record(z.string(), z.unknown()),
});
const give = outgoing(z.array(row));
const good = { id: crypto.randomUUID(), count: 1, at: null, state: 'on', tags: [{ name: 'a' }], data: { any: [1] } };

describe('what leaves the server', () => {
  it('goes as it is where it has the declared shape, with or without what is optional', () => {
    for (const rows of [[], [good], [good, { ...good, note: 'x' }], [{ ...good, note: undefined }]]) expect(give(rows)).toEqual(rows);
  });

  it('loses every field that nobody declared, at any depth', () => {
    const leaky = [good, { ...good, secret: 's', tags: [{ name: 'a', hash: 'h' }] }];
    expect(JSON.stringify(give(leaky))).toBe(JSON.stringify([good, { ...good, tags: [{ name: 'a' }] }]));
  });

  it.each([
    ['missing', { ...good, count: undefined }],
    ['of another kind', { ...good, count: '1' }],
    ['no number', { ...good, count: Number.NaN }],
    ['no word of its list', { ...good, state: 'broken' }],
    ['null', { ...good, tags: null }],
  ])('is refused where something is %s', (_, wrong) => {
    expect(() => give([wrong])).toThrow(z.ZodError);
    expect(() => give([good, wrong])).toThrow(z.ZodError);
  });

  it('leaves to the schema what only the schema can do', () => {
    expect(outgoing(z.object({ many: z.array(z.string()).default([]) }))({})).toEqual({ many: [] });
    expect(outgoing(z.object({ n: z.string().transform(Number) }))({ n: '4' })).toEqual({ n: 4 });
    expect(outgoing(z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]))({ b: 1 })).toEqual({ b: 1 });
  });
});
