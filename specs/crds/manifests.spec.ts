import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { kindOf, kinds } from '../../crds/kinds.ts';
import { admissionFile, manifestFiles, schemaFiles } from '../../crds/manifestFile.ts';
import { suite } from '../support/suite.ts';
import { paths, schemaOf, served } from './served.ts';

const folder = new URL('../../crds/', import.meta.url);
const spec = suite('manifests');

const named = {
  coreapps: 'CoreApp',
  corebackuparchives: 'CoreBackupArchive',
  corebuilds: 'CoreBuild',
  corecloudconnections: 'CoreCloudConnection',
  coreclusters: 'CoreCluster',
  coreconsolesessions: 'CoreConsoleSession',
  coredatabases: 'CoreDatabase',
  coredeployments: 'CoreDeployment',
  coregithostconnections: 'CoreGitHostConnection',
  corehareadinesses: 'CoreHAReadiness',
  corelogicaldatabases: 'CoreLogicalDatabase',
  corenetworklogs: 'CoreNetworkLog',
  corenodes: 'CoreNode',
  coreobjectstores: 'CoreObjectStore',
  coreplatformconfigs: 'CorePlatformConfig',
  coreprojects: 'CoreProject',
} as const;

spec('the files of manifests and schemas equal the generated ones (`npx tsx crds/generate.ts` writes them)', () => {
  for (const [below, files] of [
    ['manifests/', manifestFiles],
    ['schemas/core.platform/', schemaFiles],
  ] as const) {
    assert.equal(readdirSync(new URL(below, folder)).sort(), files.map(({ name }) => name).sort());
    for (const { name, text } of files) assert.is(readFileSync(new URL(below + name, folder), 'utf8'), text, name);
  }
  assert.is(readFileSync(new URL(`install/${admissionFile.name}`, folder), 'utf8'), admissionFile.text);
});

spec('a manifest says the same to a reader of YAML 1.1, as kubectl is one', () => {
  for (const { name, text } of [...manifestFiles, admissionFile])
    assert.equal(
      parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as unknown),
      parseAllDocuments(text).map((document) => document.toJS() as unknown),
      name,
    );
});

const columns = (plural: string) => served(plural).spec.versions[0]?.additionalPrinterColumns;

spec(
  'KND-005 BLD-004 PRJ-001 PLC-001 DB-001 LDB-001 BAK-030 DEP-001 CON-001 the manifests define sixteen kinds with their plurals',
  () => {
    assert.is(kinds.length, 16);
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
  },
);

spec(
  'KND-001 KND-002 KND-003 BLD-005 BLD-006 DEP-002 DEP-003 CON-002 CON-003 every kind is v1alpha1, namespaced, and has a status subresource',
  () => {
    for (const plural of Object.keys(named)) {
      const { group, scope, versions } = served(plural).spec;
      assert.is(group, 'core.platform');
      assert.is(scope, 'Namespaced');
      assert.equal(
        versions.map(({ name, served: on, storage, subresources }) => ({ name, on, storage, subresources })),
        [{ name: 'v1alpha1', on: true, storage: true, subresources: { status: {} } }],
      );
    }
  },
);

const ready = { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' };

spec('BLD-007 PLC-003 PRJ-003 DB-003 LDB-002 BAK-032 DEP-004 CON-004 printer columns of the documents', () => {
  for (const plural of ['corebuilds', 'coreplatformconfigs', 'corelogicaldatabases', 'coredeployments'])
    assert.is(columns(plural), undefined, plural);
  assert.is(columns('coreconsolesessions'), undefined);
  assert.equal(columns('coreprojects'), [ready]);
  assert.equal(columns('coredatabases'), [
    { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
    { name: 'Engine', type: 'string', jsonPath: '.spec.engine' },
    ready,
  ]);
  assert.equal(columns('corebackuparchives'), [
    { name: 'Database', type: 'string', jsonPath: '.spec.database' },
    { name: 'Last backup', type: 'date', jsonPath: '.status.lastBackupTime' },
    { name: 'Delete after', type: 'string', jsonPath: '.spec.deleteAfter' },
  ]);
});

spec('kinds with a Ready condition print the condition and their age', () => {
  const told = [
    'coreapps',
    'corecloudconnections',
    'coreclusters',
    'coregithostconnections',
    'corehareadinesses',
    'corenodes',
    'coreobjectstores',
  ];
  for (const plural of told)
    for (const column of ['Ready', 'Age'])
      assert.ok(
        columns(plural)?.some(({ name }) => name === column),
        `${plural} ${column}`,
      );
});

spec('short names are unique and every kind is in the category core', () => {
  const names = Object.keys(named).map((plural) => served(plural).spec.names);
  const short = names.flatMap(({ shortNames }) => shortNames);
  assert.is(new Set(short).size, short.length);
  assert.ok(names.every(({ shortNames, categories }) => shortNames.length === 1 && categories.join() === 'core'));
});

spec('every field has a description', () => {
  for (const plural of Object.keys(named))
    for (const [path, { description }] of paths(schemaOf(plural)))
      if (path !== 'metadata' && !/(\[\]|\{\})$/.test(path)) assert.ok(description, `${plural} ${path}`);
});

spec('every path that a printer column reads is a field', () => {
  for (const plural of Object.keys(named)) {
    const known = paths(schemaOf(plural));
    for (const { jsonPath } of columns(plural) ?? []) {
      const path = jsonPath.slice(1).replace(/\[(?:\?\(@\.type=="\w+"\)|\d+)\]/, '[]');
      assert.ok(known.has(path) || path.startsWith('metadata.'), `${plural} ${path}`);
    }
  }
});

spec.run();
