import * as fc from 'fast-check';
import { oddMethods, oddNames, oddPaths, oddQueries, oddTargets, oddValue } from './odd.ts';
import { alsoHeader, type Change, withHeader, withoutHeader, type Wire } from './request.ts';

const change = (name: string, of: Change['of']): Change => ({ name, of });
const oneChange = <T>(name: string, values: fc.Arbitrary<T>, of: (wire: Wire, value: T) => Wire) =>
  values.map((value) => change(name, (wire) => of(wire, value)));
const always = (name: string, of: Change['of']) => fc.constant(change(name, of));

function inPath(wire: Wire, at: number, odd: string): Wire {
  const [path = '', query] = wire.target.split('?');
  const parts = path.split('/');
  const place = 1 + (at % Math.max(1, parts.length - 1));
  return { ...wire, target: parts.with(Math.min(place, parts.length - 1), odd).join('/') + (query ? `?${query}` : '') };
}

const targets = [
  oneChange('path', fc.tuple(fc.nat(6), fc.constantFrom(...oddPaths)), (wire, [at, odd]) => inPath(wire, at, odd)),
  oneChange('target', fc.constantFrom(...oddTargets), (wire, target) => ({ ...wire, target })),
  oneChange('query', fc.constantFrom(...oddQueries), (wire, query) => ({
    ...wire,
    target: `${wire.target}${wire.target.includes('?') ? '&' : '?'}${query}`,
  })),
  oneChange('any path', fc.string({ unit: 'binary-ascii', maxLength: 60 }), (wire, text) => ({
    ...wire,
    target: `/${text}`,
  })),
  oneChange('method', fc.constantFrom(...oddMethods), (wire, method) => ({ ...wire, method })),
  oneChange(
    'version',
    fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', 'HTTQ/1.1', ''),
    (wire, version) => ({
      ...wire,
      version,
    }),
  ),
];

const fieldsOf = ({ body }: Wire): Record<string, unknown> => {
  try {
    return { ...(JSON.parse(body.toString()) as Record<string, unknown>) };
  } catch {
    return {};
  }
};
const withFields = (wire: Wire, json: string): Wire => ({
  ...withHeader(wire, 'Content-Type', 'application/json'),
  body: Buffer.from(json),
});
/** Written by hand, for no object literal gives a name twice or owns `__proto__`. */
const oneMore = (wire: Wire, name: string, value: unknown): string => {
  const rest = JSON.stringify(fieldsOf(wire)).slice(1, -1);
  return `{${rest}${rest === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}}`;
};

const rawBodies = [
  Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  Buffer.from('\ufeff{}'),
  Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from(''),
  Buffer.from('{'),
  Buffer.from('[]'),
  Buffer.from('null'),
  Buffer.from('1e999'),
  Buffer.from('{"days":1e999}'),
  Buffer.from('{"username":"\\ud800","password":"\\u0000"}'),
  Buffer.from('['.repeat(30_000)),
  Buffer.from('{"a":'.repeat(12_000)),
  Buffer.from(`{"code":"${'x'.repeat(64 * 1024)}"}`),
  Buffer.alloc(300_000, 0x20),
  Buffer.from('\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'),
];
const rawForms = [
  'code=a&code=b',
  '__proto__[x]=1',
  'a[b][c]=1',
  '%',
  '%ff=%fe',
  'days=7&days=7',
  '&'.repeat(5000),
  `${'a[0]'.repeat(500)}=1`,
  'code.constructor=1',
];

const bodies = [
  oneChange('a value', fc.tuple(fc.nat(3), oddValue), (wire, [at, value]) => {
    const fields = fieldsOf(wire);
    const names = Object.keys(fields);
    return withFields(wire, JSON.stringify({ ...fields, [names[at % Math.max(1, names.length)] ?? 'code']: value }));
  }),
  oneChange('a field', fc.tuple(fc.constantFrom(...oddNames), oddValue), (wire, [name, value]) =>
    withFields(wire, oneMore(wire, name, value)),
  ),
  always('a field twice', (wire) =>
    withFields(wire, oneMore(wire, Object.keys(fieldsOf(wire))[0] ?? 'code', 'again').replace('{', '{"code":1,')),
  ),
  oneChange('raw body', fc.constantFrom(...rawBodies), (wire, body) => ({
    ...withHeader(wire, 'Content-Type', 'application/json'),
    body,
    framing: wire.framing === 'none' ? 'length' : wire.framing,
  })),
  oneChange('bytes', fc.uint8Array({ maxLength: 200 }), (wire, bytes) => ({ ...wire, body: Buffer.from(bytes) })),
  oneChange('form', fc.constantFrom(...rawForms), (wire, form) => ({
    ...withHeader(wire, 'Content-Type', 'application/x-www-form-urlencoded'),
    body: Buffer.from(form),
  })),
  oneChange(
    'content type',
    fc.constantFrom(
      'text/plain',
      '',
      'application/json; charset=utf-7',
      'application/json; charset=',
      'multipart/form-data',
      '*/*',
      'application/xml',
      'a/b/c',
      'json',
    ),
    (wire, type) => withHeader(wire, 'Content-Type', type),
  ),
  oneChange('content encoding', fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x'), (wire, encoding) =>
    withHeader(wire, 'Content-Encoding', encoding),
  ),
];

const oddLengths = ['-1', '+5', '1e3', '0x5', '5, 6', '99999999999999999999', '999999999', '3', ' ', 'five'];
const oddEncodings = ['chunked', 'chunked, chunked', 'identity', 'xchunked', 'chunked\t', 'gzip, chunked', ' ,chunked'];
const oddChunks = [
  'zz\r\nabc\r\n0\r\n\r\n',
  'ffffffffffffffffff\r\n',
  '-1\r\n\r\n',
  `5;${'e'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
  '3\r\nabcd\r\n0\r\n\r\n',
  '0\r\nX-Injected: 1\r\n\r\n',
  '1\r\n{\r\n1\r\n}\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
];

const framings = [
  oneChange('length', fc.constantFrom(...oddLengths), (wire, length) => ({
    ...withHeader(wire, 'Content-Length', length),
    framing: 'none',
    pace: 'cut',
  })),
  oneChange('encoding', fc.constantFrom(...oddEncodings), (wire, encoding) => ({
    ...withHeader(wire, 'Transfer-Encoding', encoding),
    framing: 'none',
    pace: 'cut',
  })),
  oneChange('both', fc.constantFrom(...oddEncodings), (wire, encoding) => ({
    ...withHeader(wire, 'Transfer-Encoding', encoding),
    framing: 'length',
  })),
  oneChange('chunks', fc.constantFrom(...oddChunks), (wire, chunks) => ({
    ...withHeader(wire, 'Transfer-Encoding', 'chunked'),
    framing: 'none',
    body: Buffer.from(chunks),
    pace: 'cut',
  })),
  always('cut', (wire) => ({ ...wire, pace: 'cut' })),
];

const oddHeaders: readonly (readonly [string, string])[] = [
  ['Host', ''],
  ['Host', 'evil.example'],
  ['Host', 'evil; script-src *'],
  ['Host', 'a b'],
  ['Cookie', `x=${'y'.repeat(15_000)}`],
  ['Cookie', `x=${'y'.repeat(40_000)}`],
  ['Cookie', ';;;=;core_session'],
  ['Cookie', 'core_session=a.b.c'],
  ['Cookie', `core_session=${'.'.repeat(2000)}`],
  ['Cookie', 'core_session=%00; core_session=\u00ff'],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Bearer gsw_abcdefghij_'],
  ['Authorization', `Bearer gsp_${'a'.repeat(10_000)}`],
  ['Authorization', 'Bearer __proto__'],
  ['Authorization', 'Basic YTpi'],
  ['Authorization', 'Bearer \u00ff\u00fe'],
  ['Origin', 'null'],
  ['Origin', 'http://[::1'],
  ['Origin', 'javascript:1'],
  ['Referer', '%%%'],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"a",'.repeat(1500)],
  ['Last-Event-ID', 'x'],
  ['Last-Event-ID', `1.${'a'.repeat(3000)}.1`],
  ['Last-Event-ID', '99999999999999999999.a.1'],
  ['X-Forwarded-For', '1.2.3.4, '.repeat(800)],
  ['X-Forwarded-For', '::ffff:999.1.1.1, %eth0, fe80::1%lo'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/api/v1/tokens'],
  ['Expect', '100-continue'],
  ['Expect', 'the unexpected'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Connection', 'Upgrade'],
  ['Connection', 'keep-alive'],
  ['Range', 'bytes=0-,0-,0-'],
  ['Accept-Encoding', 'gzip;q=x, *;q=-1'],
  ['X-Fold', 'a\r\n b'],
  ['X-Split', 'a\r\nX-Injected: 1'],
  ['X-Null', 'a\0b'],
  ['X Space', '1'],
  ['', 'nameless'],
  ['X-High', '\u00ff\u00e9'],
  ['X-Large', 'z'.repeat(20_000)],
];

const headers = [
  oneChange('header', fc.constantFrom(...oddHeaders), (wire, [name, value]) => withHeader(wire, name, value)),
  oneChange('another header', fc.constantFrom(...oddHeaders), (wire, [name, value]) => alsoHeader(wire, name, value)),
  always('no host', (wire) => withoutHeader(wire, 'Host')),
  always('no cookie', (wire) => withoutHeader(wire, 'Cookie')),
  oneChange('many headers', fc.constantFrom(150, 1500, 3000), (wire, count) => ({
    ...wire,
    headers: [...wire.headers, ...Array.from({ length: count }, (_, at) => [`X-${at}`, '1'] as const)],
  })),
  oneChange(
    'any header',
    fc.tuple(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary-ascii', maxLength: 40 })),
    (wire, [name, value]) => alsoHeader(wire, name, value),
  ),
];

/** Everything that may be wrong about a request, each kind as likely as the other. */
export const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.oneof(...targets),
  fc.oneof(...bodies),
  fc.oneof(...framings),
  fc.oneof(...headers),
);
