import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import { deployPatches, type DeployPatch } from '../../rules/draftDeploy/patches.ts';
import { differingPaths } from '../../rules/draftDeploy/paths.ts';
import { runningSpec } from '../../rules/draftDeploy/running.ts';
import { draftDeployStateOf } from '../../rules/draftDeploy/storedState.ts';
import { deployStored, pendingOf, revisionOf, snapshotOf } from '../../rules/draftDeploy/stored.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { suite } from '../support/suite.ts';

const spec = suite('drafts and deploys');

const key = (name: string) => `core.platform/${name}`;
const workflow = { [key('deploy-workflow')]: 'true' };
const draft = { deploy: { enabled: false } };
const deployedAs = (before: Partial<DatabaseSpec>) => ({
  ...workflow,
  [key('last-deployed')]: JSON.stringify(databaseOf(before).spec),
});
const gateOf = (database: ReturnType<typeof databaseOf>) =>
  draftDeployStateOf({ kind: 'database', stored: deployStored(database) }) ?? 'Ungated';
const runs = (changes: Partial<DatabaseSpec>, annotations: Readonly<Record<string, string>>) =>
  runningSpec(gateOf(databaseOf(changes, annotations)), databaseOf(changes, annotations));

/** What stands once a patch is merged in. */
function merged(object: ReturnType<typeof databaseOf>, { spec: changed, metadata }: DeployPatch) {
  const annotations = Object.entries({ ...object.metadata.annotations, ...metadata?.annotations });
  return databaseOf(
    { ...object.spec, ...changed },
    Object.fromEntries(annotations.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
  );
}

spec('KND-058 DB-056 a spec without the workflow annotation runs as written', () => {
  assert.equal(runs(draft, {}), databaseOf(draft).spec);
  assert.equal(runs({}, { [key('deploy-workflow')]: 'false' }), databaseOf({}).spec);
});

spec('KND-049 a draft has no running spec', () => assert.is(runs(draft, workflow), null));

spec('KND-052 the deployed spec runs while changes wait', () => {
  const annotations = { ...deployedAs({ storageSize: '1Gi' }), [key('pending-changes')]: 'settings' };
  assert.is(runs({ storageSize: '5Gi' }, annotations)?.storageSize, '1Gi');
});

spec('KND-052d an external edit does not run before it is marked', () => {
  assert.is(runs({ storageSize: '5Gi' }, deployedAs({ storageSize: '1Gi' }))?.storageSize, '1Gi');
});

spec('KND-037 KND-053 backup settings take effect at once when they are added, changed or removed', () => {
  const on = { enabled: true, retentionDays: 7 };
  const annotations = { ...deployedAs({ backup: on }), [key('pending-changes')]: 'settings' };
  assert.equal(runs({ backup: { ...on, retentionDays: 9 } }, annotations)?.backup, { ...on, retentionDays: 9 });
  assert.not.ok('backup' in (runs({}, annotations) ?? {}));
  assert.equal(runs({ backup: on }, deployedAs({}))?.backup, on);
  assert.not.ok('replicas' in (runs({}, deployedAs({})) ?? {}));
});

spec('KND-056 DB-171 no spec runs when the deployed one is unknown', () => {
  for (const text of ['', 'no JSON', '[]', '3'])
    assert.is(runs({}, { ...workflow, [key('pending-changes')]: 'settings', [key('last-deployed')]: text }), null);
});

spec('a change is named by its path, a changed list as a whole, and the gate is no change', () => {
  const paths = (a: object, b: object) => differingPaths(a, b);
  assert.equal(paths({ version: '15' }, { version: '16' }), ['spec.version']);
  assert.equal(paths({ resources: { requests: { cpu: '1' } } }, { resources: { requests: { cpu: '2' } } }), [
    'spec.resources.requests.cpu',
  ]);
  assert.equal(paths({ runOn: { tags: ['a'] } }, { runOn: { tags: ['b'] } }), ['spec.runOn.tags']);
  assert.equal(paths({ runOn: { tags: ['a'] } }, {}), ['spec.runOn.tags']);
  assert.equal(paths({}, { networking: { host: 'a.example.com', aliases: ['b'] } }), [
    'spec.networking.aliases',
    'spec.networking.host',
  ]);
  assert.equal(paths({ deploy: { enabled: true } }, { deploy: { enabled: false } }), []);
  assert.equal(paths({ runOn: {} }, {}), []);
  assert.equal(paths({ a: { c: 1, b: 2 } }, { a: { b: 2, c: 1 } }), []);
});

spec('a spec equals its JSON copy and differs from any other', () => {
  const anySpec = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  fc.assert(
    fc.property(anySpec, (given) => {
      assert.equal(differingPaths(given, JSON.parse(JSON.stringify(given)) as object), []);
      assert.equal(differingPaths({ ...given, a: 'one' }, { ...given, a: 'other' }), ['spec.a']);
    }),
  );
});

const marked = { ...workflow, [key('pending-changes')]: 'created', [key('pending-updates')]: '2' };

spec('KND-050 KND-054 DB-145 a deploy opens the gate, takes the markers away and copies the spec', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const before = databaseOf({ ...draft, storageSize: '2Gi' }, marked);
  const after = (['enable', 'clearMarkers', 'takeSnapshot', 'changeRevision'] as const).reduce(
    (object, action) => merged(object, deployPatches[action](before, at)),
    before,
  );
  assert.equal(after.spec, { ...before.spec, deploy: { enabled: true } });
  assert.equal(after.metadata.annotations, {
    ...workflow,
    [key('last-deployed')]: JSON.stringify(after.spec),
    [key('deploy-revision')]: at,
  });
  assert.equal(deployStored(after), { enabled: true, workflow: true, pending: [], snapshot: true });
  assert.equal(snapshotOf(after), after.spec);
});

spec('KND-055 every deploy changes the revision, also two at the same time', () => {
  const at = '2026-01-01T00:00:00.000Z';
  let object = databaseOf({}, workflow);
  const seen = Array.from({ length: 3 }, () => {
    object = merged(object, deployPatches.changeRevision(object, at));
    return revisionOf(object);
  });
  assert.ok(seen[0] !== seen[1] && seen[1] !== seen[2]);
});

spec('KND-049 KND-052 a saved change is named once and counted each time', () => {
  const once = merged(databaseOf({}, workflow), deployPatches.markChanges(databaseOf({}, workflow), ''));
  assert.equal(pendingOf(once), ['settings']);
  const drafted = databaseOf(draft, marked);
  const twice = merged(drafted, deployPatches.markChanges(drafted, ''));
  assert.equal(pendingOf(twice), ['created', 'settings']);
  assert.is(twice.metadata.annotations?.[key('pending-updates')], '3');
  const odd = databaseOf({}, { ...workflow, [key('pending-updates')]: 'many' });
  assert.is(deployPatches.markChanges(odd, '').metadata?.annotations[key('pending-updates')], '1');
});

spec.run();
