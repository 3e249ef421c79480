import * as fc from 'fast-check';
import type { Wire } from './request.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly additionalProperties?: unknown;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The description of an API, as far as requests are made from it. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Whom requests are sent to and as. */
export interface Target {
  readonly host: string;
  readonly cookie: string;
}

/** Names of things that are there, so that requests get further than to what is not found. */
const known: Readonly<Record<string, readonly string[]>> = {
  app: ['shop', 'web', 'none'],
  project: ['shop', 'none'],
  environment: ['testing', 'none'],
  cluster: ['local', 'none'],
  node: ['one', 'none'],
  build: ['shop-build-1', 'none'],
  machine: ['build', 'none'],
  token: ['abcdefghij'],
  code: ['BCDFGHJK'],
};

const resolved = ({ components }: Described, schema: Schema): Schema =>
  components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

function valueOf({ enum: words, anyOf, type, minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<unknown> {
  if (anyOf) return fc.oneof(...anyOf.map(valueOf));
  if (words) return fc.constantFrom(...words);
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return fc.string({ maxLength: 20 });
}

const recordOf = (fields: readonly (readonly [string, Schema])[]) =>
  fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, valueOf(schema)])), { requiredKeys: [] });

function wireOf(described: Described, path: string, method: string, { host, cookie }: Target): fc.Arbitrary<Wire> {
  const { parameters = [], requestBody } = described.paths[path]?.[method] ?? {};
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema] as const);
  const body = requestBody && resolved(described, requestBody.content['application/json']?.schema ?? {});
  // Nobody may sign the others out.
  const isSignedIn = path !== '/logout';
  return fc
    .record({
      prefix: fc.constantFrom('/api/v1', '/api'),
      names: fc.record(Object.fromEntries(inPath.map((name) => [name, fc.constantFrom(...(known[name] ?? ['x']))]))),
      query: recordOf(inQuery),
      fields: recordOf(Object.entries(body?.properties ?? {})),
      framing: fc.constantFrom<Wire['framing']>('length', 'length', 'chunked'),
    })
    .map(({ prefix, names, query, fields, framing }) => {
      const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
      return {
        method: method.toUpperCase(),
        target: `${prefix}${filled}${words === '' ? '' : `?${words}`}`,
        version: 'HTTP/1.1',
        headers: [
          ['Host', host],
          ['Connection', 'close'],
          ...(isSignedIn
            ? ([
                ['Cookie', cookie],
                ['Origin', `http://${host}`],
              ] as const)
            : []),
          ...(body ? ([['Content-Type', 'application/json']] as const) : []),
        ],
        body: Buffer.from(body ? JSON.stringify(fields) : ''),
        framing: body ? framing : method === 'get' ? 'none' : 'length',
        pace: 'whole',
      } satisfies Wire;
    });
}

/** Whether an operation refuses every field of a body that it does not know. */
export function takesOnly(described: Described, { method, target }: Wire): boolean {
  const [asked = ''] = target.replace(/^\/api(\/v1)?/, '').split('?');
  const isAsked = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);
  const found = Object.keys(described.paths).toSorted((a, b) => b.split('{').length - a.split('{').length);
  const operations = found.filter(isAsked).flatMap((path) => described.paths[path]?.[method.toLowerCase()] ?? []);
  const body = operations.at(-1)?.requestBody?.content['application/json']?.schema;
  return body !== undefined && resolved(described, body).additionalProperties === false;
}

/** Well-formed requests of every operation that is described. */
export const baseRequest = (described: Described, target: Target): fc.Arbitrary<Wire> =>
  fc.oneof(
    ...Object.entries(described.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => wireOf(described, path, method, target)),
    ),
  );
