import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { suite } from '../support/suite.ts';
import { documents, refusals, schemaOf, unknownFields } from './served.ts';

const samples = readdirSync(new URL('../../crds/samples/', import.meta.url)).sort();
const objects = samples.flatMap((name) => documents(`samples/${name}`).map((object) => ({ name, object })));
const spec = suite('samples');

spec('the samples contain each kind that users write', () => {
  const written = `CoreProject CoreApp CoreDatabase CoreObjectStore CoreLogicalDatabase CorePlatformConfig CoreCluster
    CoreNode CoreCloudConnection CoreGitHostConnection`;
  for (const kind of written.split(/\s+/))
    assert.ok(
      objects.some(({ object }) => object.kind === kind),
      kind,
    );
});

spec('every sample object is valid and has only known fields', () => {
  for (const { name, object } of objects) {
    const kind = kinds.find((one) => one.kind === object.kind);
    if (!kind) continue;
    const title = `${name} ${object.kind} ${object.metadata.name}`;
    assert.is(object.apiVersion, 'core.platform/v1alpha1', title);
    assert.equal(refusals(kind.plural, object), [], title);
    assert.equal(unknownFields(schemaOf(kind.plural), object), [], title);
  }
});

spec('every sample is in core-system and is of a Core kind or a Secret', () => {
  for (const { name, object } of objects) {
    assert.is(object.metadata.namespace, 'core-system', name);
    assert.ok(object.kind === 'Secret' || kinds.some(({ kind }) => kind === object.kind), `${name} ${object.kind}`);
  }
});

spec('first-build.yaml is a project, its connection with a Secret, and a deployed repository service', () => {
  const found = documents('samples/first-build.yaml').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.equal(found, ['CoreProject shop', 'Secret shop-git-token', 'CoreGitHostConnection shop-git', 'CoreApp hello']);
});

const has = (kind: string, name: string) =>
  objects.some(({ object: o }) => o.kind === kind && o.metadata.name === name);

spec('names that samples refer to exist among the samples', () => {
  assert.ok(has('CoreCluster', 'local'));
  assert.ok(has('CoreGitHostConnection', 'shop-git'));
  assert.ok(has('Secret', 'shop-git-token'));
  assert.ok(has('CoreProject', 'shop'));
  assert.ok(has('CoreProject', 'bakery'));
  assert.ok(has('CoreGitHostConnection', 'bakery-git'));
  assert.ok(has('CoreCloudConnection', 'bakery-cloud'));
  assert.ok(has('CoreDatabase', 'shared'));
});

spec('first-backup.yaml names its own connection, and a Secret that the embedded cloud writes', () => {
  const found = documents('samples/first-backup.yaml').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.equal(found, ['CoreProject ledger', 'CoreCloudConnection ledger-cloud', 'CoreDatabase ledger-books']);
  const text = JSON.stringify(documents('samples/first-backup.yaml'));
  assert.match(text, '"connectionRef":{"name":"ledger-cloud"}');
  assert.match(text, `"secretRef":{"name":"local-cloud"}`);
});

spec('an unknown field and a wrong value are found', () => {
  const app = documents('samples/wait-for-ci.yaml')[0];
  assert.equal(unknownFields(schemaOf('coreapps'), { ...app, spec: { sourec: {} } }), ['.spec.sourec']);
  assert.ok(refusals('coreapps', { ...app, spec: { project: 1 } }).length > 0);
});

spec.run();
