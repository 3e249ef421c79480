import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { kindOf, kinds } from '../../crds/kinds.ts';
import { manifestFile } from '../../crds/manifestFile.ts';
import { suite } from '../support/suite.ts';
import { paths, schemaOf, served } from './served.ts';

const folder = new URL('../../crds/manifests/', import.meta.url);
const spec = suite('manifests');

const named = {
  coreapps: 'CoreApp',
  corebuilds: 'CoreBuild',
  coreclusters: 'CoreCluster',
  coregithostconnections: 'CoreGitHostConnection',
  coreobjectstores: 'CoreObjectStore',
  coreplatformconfigs: 'CorePlatformConfig',
  coreprojects: 'CoreProject',
} as const;

spec('the files are what the schemas generate: run `npx tsx crds/generate.ts` when this fails', () => {
  const files = kinds.map(manifestFile);
  assert.equal(readdirSync(folder).sort(), files.map(({ name }) => name).sort());
  for (const { name, text } of files) assert.is(readFileSync(new URL(name, folder), 'utf8'), text, name);
});

const columns = (plural: string) => served(plural).spec.versions[0]?.additionalPrinterColumns;

spec('KND-006 KND-007 KND-010 KND-012 KND-014 KND-016 KND-018 BLD-004 PRJ-001 PLC-001 kinds and plurals', () => {
  assert.equal(kinds.map(({ plural }) => plural).sort(), Object.keys(named).sort());
  for (const [plural, kind] of Object.entries(named)) {
    const { metadata, spec: crd } = served(plural);
    assert.is(metadata.name, `${plural}.core.platform`);
    assert.is(crd.group, 'core.platform');
    assert.is(crd.names.kind, kind);
    assert.is(crd.names.plural, plural);
    assert.is(crd.names.singular, kind.toLowerCase());
    assert.is(kindOf(kind as 'CoreApp').kind, kind);
  }
});

spec('KND-001 KND-002 KND-003 BLD-005 BLD-006 v1alpha1, namespaced, with a status of its own', () => {
  for (const plural of Object.keys(named)) {
    const { scope, versions } = served(plural).spec;
    assert.is(scope, 'Namespaced');
    assert.equal(
      versions.map(({ name, served: on, storage, subresources }) => ({ name, on, storage, subresources })),
      [{ name: 'v1alpha1', on: true, storage: true, subresources: { status: {} } }],
    );
  }
});

spec('BLD-007 PLC-003 PRJ-003 printer columns', () => {
  assert.is(columns('corebuilds'), undefined);
  assert.is(columns('coreplatformconfigs'), undefined);
  assert.equal(columns('coreprojects'), [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ]);
  for (const plural of ['coreapps', 'coreclusters', 'coregithostconnections', 'coreobjectstores'])
    assert.ok(
      columns(plural)?.some(({ name }) => name === 'Ready'),
      plural,
    );
});

spec('short names are unique and every kind is in the category core', () => {
  const names = Object.keys(named).map((plural) => served(plural).spec.names);
  const short = names.flatMap(({ shortNames }) => shortNames);
  assert.is(new Set(short).size, short.length);
  assert.ok(names.every(({ shortNames, categories }) => shortNames.length === 1 && categories.join() === 'core'));
});

spec('every field says what it is for', () => {
  for (const plural of Object.keys(named))
    for (const [path, { description }] of paths(schemaOf(plural)))
      if (path !== 'metadata' && !/(\[\]|\{\})$/.test(path)) assert.ok(description, `${plural} ${path}`);
});

spec('every path that a printer column reads is a field', () => {
  for (const plural of Object.keys(named)) {
    const known = paths(schemaOf(plural));
    for (const { jsonPath } of columns(plural) ?? []) {
      const path = jsonPath.slice(1).replace(/\[\?\(@\.type=="\w+"\)\]/, '[]');
      assert.ok(known.has(path) || path.startsWith('metadata.'), `${plural} ${path}`);
    }
  }
});

spec.run();
