import type { Json } from '../../../../../runtime/embedded/api/json.ts';
import type { Schema } from '../../../../../runtime/embedded/api/schema/schema.ts';

const text = (maxLength: number): Schema => ({ type: 'string', maxLength });
const formatted = (format: string): Schema => ({ type: 'string', format });
const list = (items: Schema): Schema => ({ type: 'array', items });

/** Fields of every type; those whose names begin with `u` have no limit of size. */
export const properties: Readonly<Record<string, Schema>> = {
  s: text(100),
  nul: { ...text(10), nullable: true },
  l: { ...list(text(20)), maxItems: 10 },
  li: { ...list({ type: 'integer' }), maxItems: 10 },
  u: list({ type: 'string' }),
  uu: list(list({ type: 'string' })),
  us: { type: 'string' },
  m: { type: 'object', maxProperties: 5, additionalProperties: text(20) },
  um: { type: 'object', additionalProperties: { type: 'string' } },
  t: formatted('date-time'),
  d: formatted('date'),
  du: formatted('duration'),
  by: formatted('byte'),
  p: { 'x-kubernetes-int-or-string': true },
  n: { type: 'number' },
  i: { type: 'integer' },
  b: { type: 'boolean' },
  o: { ...list({ type: 'object', properties: { name: text(10), w: { type: 'integer' } } }), maxItems: 5 },
};

/** The object that rules are evaluated over. */
export const object: Json = {
  s: 'abc',
  nul: null,
  l: ['a', 'b', 'c'],
  li: [3, 1, 2],
  u: ['x', 'y'],
  uu: [['q']],
  us: 'https://user@example.com:80/path?k=v&k=w#f',
  m: { k: 'v' },
  um: { z: 'y' },
  t: '2024-02-03T04:05:06.789Z',
  d: '2024-02-03',
  du: '1h30m',
  by: 'aGVsbG8=',
  p: 5,
  n: 1.5,
  i: 7,
  b: true,
  o: [{ name: 'one', w: 1 }, { name: 'two' }],
};
