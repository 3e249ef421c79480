import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { suite } from '../support/suite.ts';
import { changed, ours, sampleObjects, type Written, written } from './accepted.ts';
import { draft7, faultsOf, schemas } from './schemaChecks.ts';
import { documents, paths, schemaOf } from './served.ts';

const spec = suite('JSON Schemas of the kinds');
const samples = new URL('../../crds/samples/', import.meta.url);
const fileOf = (kind: string) => `${kind.toLowerCase()}_v1alpha1.json`;

/** An object of each kind that a cluster accepts. */
const valid = new Map([...sampleObjects.map(({ object }) => object), ...written].map((one) => [one.kind ?? '', one]));
const example = (kind: string): Written => {
  const found = valid.get(kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
};

spec('each kind has a schema, named as checkers look for it', () => {
  assert.equal([...schemas.keys()].sort(), ['all.json', ...kinds.map(({ kind }) => fileOf(kind))].sort());
});

spec('every schema is of draft 7 and has no word of Kubernetes', () => {
  for (const [name, schema] of schemas) {
    assert.is((schema as { $schema?: string }).$schema, 'http://json-schema.org/draft-07/schema#', name);
    assert.ok(draft7.validateSchema(schema), `${name} ${draft7.errorsText()}`);
    assert.not.throws(() => draft7.getSchema(name), name);
    assert.not.match(JSON.stringify(schema), /"(x-kubernetes[^"]*|nullable)":/, name);
  }
});

/** The schema that the first line of a sample names. */
function namedBy(sample: string): string {
  const [first = ''] = readFileSync(new URL(sample, samples), 'utf8').split('\n');
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? [];
  assert.is(path, `../schemas/core.platform/${basename(path)}`, `${sample}: ${first}`);
  return basename(path);
}

for (const sample of readdirSync(samples))
  spec(`${sample} is valid by the schema that it names`, () => {
    for (const object of documents(`samples/${sample}`)) {
      assert.equal(faultsOf(namedBy(sample), object), []);
      assert.equal(faultsOf('all.json', object), []);
    }
  });

spec('what only the platform writes is valid too', () => {
  for (const object of written) {
    assert.equal(faultsOf(fileOf(object.kind ?? ''), object), [], object.kind);
    assert.equal(faultsOf('all.json', object), [], object.kind);
  }
});

const unknown = (path: string, field: string) => `${path} must NOT have additional properties "${field}"`;

for (const { kind, plural } of kinds)
  spec(`a misspelt field of a ${kind} is an error, and the only one that is reported`, () => {
    const object = example(kind);
    for (const file of [fileOf(kind), 'all.json']) {
      const reported = (one: Written) =>
        faultsOf(file, one).filter((fault) => !fault.includes('must match "then" schema'));
      assert.equal(reported({ ...object, sepc: {} } as Written), [unknown('', 'sepc')]);
      // A log of the network is kept whatever it says.
      if (plural === 'corenetworklogs') assert.equal(reported(changed(object, 'spec.projet', 1)), []);
      else assert.equal(reported(changed(object, 'spec.projet', 1)), [unknown('/spec', 'projet')]);
    }
  });

/** The part of a JSON Schema at a path of `paths`. */
function partAt(schema: unknown, path: string): Readonly<Record<string, unknown>> {
  let here = schema as Record<string, Record<string, unknown>>;
  for (const step of path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? []) {
    const next =
      step === '[]' ? here['items'] : step === '{}' ? here['additionalProperties'] : here['properties']?.[step];
    here = next as typeof here;
  }
  return here;
}

spec('every object below is as open as a cluster takes it', () => {
  for (const { kind, plural } of kinds)
    for (const [path, served] of paths(schemaOf(plural))) {
      if (served.type !== 'object' || path === 'metadata') continue;
      const isOpen = served['x-kubernetes-preserve-unknown-fields'] === true || served.additionalProperties;
      const { additionalProperties } = partAt(schemas.get(fileOf(kind)), path);
      assert.is(additionalProperties === false, !isOpen, `${kind} ${path}`);
    }
});

const app = (fields: object) => ours('CoreApp', 'web', { ...(example('CoreApp').spec as object), ...fields });
const withCpu = (cpu: unknown) => app({ resources: { limits: { cpu } } });

spec('amounts are numbers or texts of their form', () => {
  for (const cpu of [1, '500m', '1.5']) assert.equal(faultsOf('all.json', withCpu(cpu)), [], String(cpu));
  for (const cpu of [1.5, true, 'much', null]) assert.not.equal(faultsOf('all.json', withCpu(cpu)), [], String(cpu));
});

spec('what a cluster lets be null may be null, and nothing else', () => {
  const build = example('CoreBuild');
  assert.equal(faultsOf('all.json', changed(build, 'status', { phase: 'Pending', startedAt: null })), []);
  assert.not.equal(faultsOf('all.json', changed(build, 'status', { phase: null })), []);
});

spec('tags are named once', () => {
  const node = example('CoreNode');
  assert.equal(faultsOf('all.json', changed(node, 'spec.tags', ['certified', 'fast-disk'])), []);
  assert.not.equal(faultsOf('all.json', changed(node, 'spec.tags', ['certified', 'certified'])), []);
});

spec('a misspelt kind or version is an error, objects of other groups are not judged', () => {
  assert.equal(faultsOf('all.json', { apiVersion: 'apps/v1', kind: 'Deployment', any: 1 }), []);
  for (const wrong of [
    { kind: 'CoreAp' },
    { apiVersion: 'core.platform/v1' },
    { apiVersion: 'core.platfrom/v1alpha1' },
  ])
    assert.not.equal(faultsOf('all.json', { ...app({}), ...wrong }), [], JSON.stringify(wrong));
  assert.not.equal(faultsOf(fileOf('CoreApp'), { ...app({}), kind: 'CoreBuild' }), []);
});

spec('what a cluster requires is required, and the name of the object', () => {
  const { spec: _spec, ...without } = app({});
  assert.equal(faultsOf(fileOf('CoreApp'), without), [` must have required property 'spec' ""`]);
  const { metadata: _metadata, ...nameless } = app({});
  assert.equal(faultsOf(fileOf('CoreApp'), nameless), [` must have required property 'metadata' ""`]);
});

spec.run();
