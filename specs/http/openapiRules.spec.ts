import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeDocument } from '../../http/openapi/document.ts';
import { schemasOf } from '../../http/route.ts';
import { groups } from '../../http/routes/groups.ts';
import { allRoutes } from '../../http/routes/list.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { isObject } from '../../rules/json.ts';

const spec = suite('description for linters and generators');

type Fields = Readonly<Record<string, unknown>>;
interface Described {
  readonly info: { readonly license?: Fields };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Fields[];
  readonly requestBody?: Fields;
}
const document = JSON.parse(JSON.stringify(makeDocument({ schemas: schemasOf(allRoutes), groups }))) as Described;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, operation })),
);

/** Every object within a value, with its address; extensions are nobody's. */
function within(value: unknown, at = '#'): readonly (readonly [at: string, fields: Fields])[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => within(one, `${at}/${index}`));
  if (!isObject(value)) return [];
  const inside = Object.entries(value).filter(([name]) => !name.startsWith('x-'));
  return [[at, value], ...inside.flatMap(([name, one]) => within(one, `${at}/${name}`))];
}
const titleOf = ({ $ref: ref }: Fields): string | null =>
  typeof ref === 'string' ? (ref.split('/').at(-1) ?? '') : null;

/** The titles of the schemas that a value leads to. */
function reached(value: unknown, known: Set<string> = new Set()): ReadonlySet<string> {
  for (const [, fields] of within(value)) {
    const title = titleOf(fields);
    if (title === null || known.has(title)) continue;
    known.add(title);
    reached(document.components.schemas[title], known);
  }
  return known;
}

spec('the description names its license and describes each group of routes', () => {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly license: string };
  assert.is(document.info.license?.['identifier'], license);
  const described = document.tags.filter(({ description = '' }) => description !== '').map(({ name }) => name);
  assert.equal(described, [...new Set(operations.flatMap(({ operation: { tags } }) => tags))].toSorted());
  assert.is(new Set(operations.map(({ operation: { operationId } }) => operationId)).size, operations.length);
});

spec('every schema is referenced, and every reference resolves', () => {
  const used = reached(document.paths);
  assert.ok(used.size > 50);
  assert.equal([...used].toSorted(), Object.keys(document.components.schemas).toSorted());
});

spec('the data of events is described without references', () => {
  const told: string[] = [];
  JSON.stringify(document, (name, value: unknown) => {
    if (name === 'x-events') told.push(JSON.stringify(value));
    return value;
  });
  assert.ok(told.length > 1 && told.some((events) => events.includes('"hello"')));
  assert.equal(
    told.filter((events) => events.includes('$ref')),
    [],
  );
});

spec('no alternative of a schema is satisfied by every value', () => {
  const empty = within(document).flatMap(([at, fields]) =>
    ['anyOf', 'oneOf', 'allOf']
      .filter((name) => (fields[name] as readonly object[] | undefined)?.some((one) => Object.keys(one).length === 0))
      .map((name) => `${at}/${name}`),
  );
  assert.equal(empty, []);
});

spec('a request field has no default in the description', () => {
  const sent = operations.flatMap(({ at, operation: { parameters, requestBody } }) => {
    const titles = [...reached([parameters, requestBody])];
    const schemas = titles.map((title) => [title, document.components.schemas[title]] as const);
    return [...within([parameters, requestBody], at), ...schemas.flatMap(([title, schema]) => within(schema, title))];
  });
  assert.ok(sent.length > 1_000);
  // A property may be named so; a default beside a type is none of those.
  const preset = sent.filter(([at, fields]) => 'default' in fields && !at.endsWith('/properties'));
  assert.equal(
    preset.map(([at]) => at),
    [],
  );
});

spec('the text of a field says its value when it is left out', () => {
  const { properties } = document.components.schemas['DatabaseAsked'] as {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  };
  for (const [name, words] of Object.entries({
    placement: '`InCluster`, when left out,',
    highAvailability: '`false` when left out.',
    version: '16 when left out',
    instances: 'one when left out',
  }))
    assert.ok(properties[name]?.description?.includes(words), `${name}: ${properties[name]?.description}`);
});

spec.run();
