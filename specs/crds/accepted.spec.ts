import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { listAt, textAt } from '../../runtime/embedded/api/json.ts';
import { type Started, core, install, started } from '../runtime/embedded/started.ts';
import { suite } from '../support/suite.ts';
import {
  changed,
  create,
  faultsIn,
  ours,
  replace,
  sampleObjects,
  storedAt,
  type Written,
  written,
} from './accepted.ts';
import { nextTaken } from './refusal.ts';
import { writtenRefusals } from './writtenRefusals.ts';
import { refusalsWritten } from './refusalsWritten.ts';

const refusals = { ...writtenRefusals, ...refusalsWritten };
const spec = suite<{ api: Started }>('validation of Core kinds by the API');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

const valid = [...sampleObjects, ...written.map((object) => ({ name: 'written', object }))];

for (const { name, object } of valid)
  spec(`${name}: ${object.kind} ${object.metadata.name} is accepted without a warning`, async ({ api }) => {
    const reply = await create(api, object);
    assert.equal(faultsIn(reply), []);
    assert.equal([reply.code, reply.warning], [201, '']);
  });

/** An edit of each kind that is safe to write by hand. */
const edits: Readonly<Record<string, readonly [string, unknown]>> = {
  CoreProject: ['displayName', 'another'],
  CoreApp: ['replicas', 7],
  CoreDatabase: ['version', '17'],
  CoreObjectStore: ['storageSize', '7Gi'],
  CoreLogicalDatabase: ['connectionLimit', 7],
  CorePlatformConfig: ['rootDomain', 'another.example'],
  CoreCluster: ['defaultRegion', 'another'],
};
for (const [kind, [field, value]] of Object.entries(edits))
  spec(`KND-040 a ${kind} can be created and edited directly in core-system`, async ({ api }) => {
    const userObject = { ...exampleOf(kind), metadata: { name: 'by-hand', namespace: 'core-system' } };
    assert.equal(faultsIn(await create(api, userObject)), []);
    const reply = await replace(api, changed(userObject, `spec.${field}`, value));
    assert.equal(faultsIn(reply), []);
    assert.equal([reply.code, reply.warning, storedAt(reply, `spec.${field}`)], [200, '', value]);
  });

const ids: Readonly<Record<string, string>> = {
  CoreProject: 'KND-006',
  CoreApp: 'KND-007',
  CoreDatabase: 'KND-008',
  CoreLogicalDatabase: 'KND-009',
  CoreObjectStore: 'KND-010',
  CoreBackupArchive: 'KND-011',
  CoreCluster: 'KND-012',
  CoreNode: 'KND-013',
  CorePlatformConfig: 'KND-014',
  CoreCloudConnection: 'KND-015',
  CoreGitHostConnection: 'KND-016',
  CoreDeployment: 'KND-017',
  CoreBuild: 'KND-018',
  CoreConsoleSession: 'KND-019',
  CoreHAReadiness: 'KND-020',
  CoreNetworkLog: 'KND-021',
};

spec('KND-005 exactly sixteen kinds are served', async ({ api }) => {
  const { body } = await api.send('GET', '/apis/core.platform/v1alpha1');
  const found = listAt(body, 'resources').map((each) => textAt(each, 'kind'));
  assert.equal([...new Set(found)].toSorted(), Object.keys(ids).toSorted());
});

for (const { kind, plural } of kinds)
  spec(`${ids[kind] ?? kind} the kind ${kind} is served`, async ({ api }) => {
    const { code, body } = await api.send('GET', `${core}/${plural}`);
    assert.equal([code, textAt(body, 'kind')], [200, `${kind}List`]);
    assert.ok(listAt(body, 'items').length > 0, 'none of those that were accepted');
  });

for (const { kind } of kinds)
  spec(`there is an example object of the kind ${kind}`, () => {
    assert.ok(valid.some(({ object }) => object.kind === kind));
    assert.ok(kind === 'CoreNetworkLog' || refusals[kind] !== undefined, 'nothing of it is refused');
  });

const sizeOf = ({ spec: fields }: Written) => JSON.stringify(fields).length;

/** The fullest example of a kind, under a name of its own. */
const exampleOf = (kind: string): Written => {
  const found = valid
    .map(({ object }) => object)
    .filter((object) => object.kind === kind)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  if (!found) throw new Error(`no example of ${kind}`);
  return { ...found, metadata: { name: 'variation', namespace: 'core-system' } };
};

for (const [kind, rows] of Object.entries(refusals))
  for (const { title, path, value, says } of rows)
    spec(`${title} (${kind}): refused`, async ({ api }) => {
      const reply = await create(api, changed(exampleOf(kind), path, value));
      const faults = faultsIn(reply);
      if (says[0]?.startsWith('strict')) assert.match(faults[0] ?? '', says[0]);
      else assert.equal(faults, says);
      assert.ok(reply.code === 422 || reply.code === 400, String(reply.code));
    });

for (const [kind, rows] of Object.entries(refusals))
  for (const { title, path, value } of rows.map((each) => ({ ...each, value: nextTaken(each) })))
    if (value !== undefined)
      spec(`${title} (${kind}): the nearest valid value is accepted`, async ({ api }) => {
        const reply = await create(api, changed(exampleOf(kind), path, value), '&dryRun=All');
        assert.equal([reply.code, faultsIn(reply)], [201, []]);
      });

const fixed: readonly (readonly [string, string, unknown])[] = [
  ['BAK-037', 'database', 'others'],
  ['BAK-038', 'databaseUID', 'another'],
  ['BAK-040', 'serverName', 'another'],
  ['BAK-042', 'storage', { connectionRef: { name: 'bakery-cloud' }, bucket: 'another' }],
];
for (const [id, name, value] of fixed)
  spec(`${id} ${name} of an archive cannot be changed`, async ({ api }) => {
    const archive = written[0] as Written;
    const faults = faultsIn(await replace(api, changed(archive, `spec.${name}`, value)));
    // An object is not shown.
    const shown = typeof value === 'string' ? `${JSON.stringify(value)}: ` : '';
    assert.equal(faults, [`spec.${name}: Invalid value: ${shown}${name} cannot be changed`]);
  });

spec('the mutable fields of an archive can be changed', async ({ api }) => {
  const archive = changed(written[0] as Written, 'spec.deleteAfter', '2026-04-02T09:30:00Z');
  assert.equal(faultsIn(await replace(api, changed(archive, 'spec.retentionDays', 30))), []);
});

spec(
  'BLD-044 every image reference, with a port, a tag or a digest, or none is accepted as a registry',
  async ({ api }) => {
    const references = [
      '',
      'app',
      'team/app',
      'registry.local/apps',
      'localhost:5000/app',
      '[fd00::1]:5000/app',
      'ghcr.io/a_b/c__d/e--f',
      'Registry.Example:443/team/app:v1.2_3-Rc',
      `registry.example/app@sha256:${'0'.repeat(64)}`,
    ];
    for (const [index, registry] of references.entries()) {
      const fields = { app: 'a', project: 'p', environment: 'e', registry };
      const reply = await create(api, { ...ours('CoreBuild', '', fields), metadata: { name: `image-${index}` } });
      assert.equal([registry, faultsIn(reply)], [registry, []]);
    }
  },
);

const defaults: readonly (readonly [string, string, object, Readonly<Record<string, unknown>>])[] = [
  [
    'DB-015 DB-023 DB-044 DB-046 DB-055 a database',
    'CoreDatabase',
    { engine: 'Redis' },
    {
      engine: 'Redis',
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: false },
    },
  ],
  [
    'DB-027 DB-040 DB-060 what stands inside what is set',
    'CoreDatabase',
    { engine: 'MySQL', connectionRef: {}, passwordSecretRef: { key: '' }, backup: { enabled: true } },
    {
      engine: 'MySQL',
      connectionRef: { name: '' },
      passwordSecretRef: { name: '', key: '' },
      backup: { enabled: true, retentionDays: 7 },
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: false },
    },
  ],
  [
    'LDB-015 a logical database: neither a limit nor a look at its name',
    'CoreLogicalDatabase',
    { project: 'a', environment: 'b', serverRef: 'c', databaseName: 'no name; at all' },
    { project: 'a', environment: 'b', serverRef: 'c', databaseName: 'no name; at all' },
  ],
  [
    'CON-024 a session of the object-store server',
    'CoreConsoleSession',
    { app: 'store', project: '', environment: '', pod: 'store-0', container: 'store' },
    { app: 'store', project: '', environment: '', pod: 'store-0', container: 'store', timeoutSeconds: 300 },
  ],
  [
    'a time limit out of range is the operator to mend',
    'CoreConsoleSession',
    { app: 'store', project: '', environment: '', pod: 'store-0', container: 'store', timeoutSeconds: -1 },
    { app: 'store', project: '', environment: '', pod: 'store-0', container: 'store', timeoutSeconds: -1 },
  ],
  ['a readiness report', 'CoreHAReadiness', {}, {}],
  ['a network log keeps any field', 'CoreNetworkLog', { from: { ip: 'a' } }, { from: { ip: 'a' } }],
];
for (const [title, kind, fields, expected] of defaults)
  spec(`${title}: the stored spec has its defaults`, async ({ api }) => {
    const reply = await create(api, { ...ours(kind, '', fields), metadata: { name: `d-${title.length}` } });
    assert.equal(faultsIn(reply), []);
    assert.equal(storedAt(reply, 'spec'), expected);
  });

spec.run();
