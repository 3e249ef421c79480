import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { type CustomResourceDefinition, manifestOf } from '../../crds/manifest.ts';
import type { Schema } from '../../crds/schema.ts';
import { suite } from '../support/suite.ts';
import { narrowed, schemaNarrowed } from './narrowed.ts';
import { releases } from './releases.ts';

const spec = suite('the kinds of earlier releases');
const now = new Map<string, CustomResourceDefinition>(
  kinds.map(manifestOf).map((definition) => [definition.metadata.name, definition]),
);

spec('the kinds of at least one and at most three releases are kept, each of them whole', () => {
  assert.ok(releases.length >= 1 && releases.length <= 3, `${releases.length}`);
  for (const [tag, definitions] of releases) {
    assert.match(tag, /^v\d+\.\d+\.\d+$/);
    assert.ok(definitions.length >= 16, tag);
  }
});

for (const [tag, definitions] of releases)
  spec(`everything that ${tag} stored and took is still stored and taken`, () => {
    const lost = definitions.flatMap((old) =>
      narrowed(old, now.get(old.metadata.name)).map((what) => `${old.metadata.name} ${what}`),
    );
    assert.equal(lost, []);
  });

const old: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 20, pattern: '^[a-z]+$' },
    size: { type: 'integer', minimum: 1, nullable: true },
    phase: { type: 'string', enum: ['Open', 'Done'] },
    list: { type: 'array', items: { type: 'object', properties: { key: { type: 'string' } } } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const withField = (name: string, schema: Schema | null): Schema => {
  const { [name]: _old, ...others } = old.properties ?? {};
  return { ...old, properties: schema === null ? others : { ...others, [name]: schema } };
};

spec('a field that is gone, narrowed or newly required is reported, however deep', () => {
  const reported: readonly (readonly [now: Schema, what: string])[] = [
    [withField('name', null), 'name: removed'],
    [withField('name', { type: 'string', maxLength: 19, pattern: '^[a-z]+$' }), 'name: maxLength'],
    [withField('name', { type: 'string', maxLength: 20, pattern: '^[a-y]+$' }), 'name: pattern'],
    [withField('size', { type: 'string', nullable: true }), 'size: type'],
    [withField('size', { type: 'integer', minimum: 2, nullable: true }), 'size: minimum'],
    [withField('size', { type: 'integer', minimum: 1, maximum: 9, nullable: true }), 'size: maximum'],
    [withField('size', { type: 'integer', minimum: 1 }), 'size: nullable'],
    [withField('phase', { type: 'string', enum: ['Open'] }), 'phase: enum'],
    [withField('list', { type: 'array', items: { type: 'object' } }), 'list[].key: removed'],
    [withField('map', { type: 'object', additionalProperties: { type: 'integer' } }), 'map{}: type'],
    [withField('map', { type: 'object' }), 'map{}: removed'],
    [{ ...old, required: ['name', 'size'] }, ': requires size'],
    [{ ...old, 'x-kubernetes-validations': [{ rule: 'false', message: 'no' }] }, ': rule false'],
  ];
  for (const [schema, what] of reported) assert.equal(schemaNarrowed(old, schema), [what]);
});

spec('a new field, a wider one, another default and another text are compatible', () => {
  const compatible: readonly Schema[] = [
    old,
    withField('more', { type: 'string', enum: ['A'], maxLength: 1 }),
    withField('name', { type: 'string', maxLength: 21, default: 'a', description: 'Another.' }),
    withField('size', { type: 'integer', nullable: true }),
    withField('phase', { type: 'string', enum: ['Open', 'Held', 'Done'] }),
    { ...old, required: [] },
  ];
  for (const schema of compatible) assert.equal(schemaNarrowed(old, schema), []);
});

spec('a kind that is gone, renamed, or no longer served under its version is reported', () => {
  const [definition] = now.values();
  if (!definition) throw new Error('there is no kind');
  const { spec: of } = definition;
  const over = (changed: Partial<typeof of>): CustomResourceDefinition => ({
    ...definition,
    spec: { ...of, ...changed },
  });
  assert.equal(narrowed(definition, definition), []);
  assert.equal(narrowed(definition, undefined), ['no such kind']);
  assert.equal(narrowed(definition, over({ names: { ...of.names, shortNames: [] } })), ['names']);
  assert.equal(narrowed(definition, over({ versions: [] })), ['v1alpha1: not served']);
});

spec.run();
