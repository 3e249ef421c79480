import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { serviceReady, type ServiceStanding } from '../../../rules/service/ready.ts';
import { suite } from '../../support/suite.ts';
import { hanging, input, told } from './told.ts';

const spec = suite('the causes of a service');

const served: ServiceStanding = {
  gate: 'Deployed',
  retrying: false,
  gaveUp: null,
  leaving: null,
  source: 'image',
  project: { name: 'shop', is: 'fine' },
  environment: 'live',
  cluster: { name: 'main', ready: true },
  connection: { name: '', is: 'none' },
  secret: { name: '', found: false },
  registry: 'registry.example/team',
  isCodeTooLong: false,
  image: 'nginx:1',
  databases: [],
  buckets: [],
  missing: null,
  host: { name: '', leads: 'here' },
  workload: 'current',
  due: [],
  pods: 'running',
  attempting: false,
  attemptOfDeploy: false,
  currentBuild: '',
  build: null,
  room: { nodes: 'fit', crowded: null },
  region: '',
  tags: [],
  contested: [],
  failure: null,
};

const self = input('CoreApp', { causeOf: () => hanging });
const lines = (change: Partial<ServiceStanding>, given = self) => told(serviceReady, { ...served, ...change }, given);
const without = input('CoreApp');
const copies = () =>
  [{ reason: 'CrashLoop', message: { text: 'ends' }, on: { kind: 'Deployment', name: 'it', namespace: 'n' } }] as const;
const byCopies = ['failure CrashLoop on Deployment it: ends'];
const root = 'namespace "shop-staging" is being deleted';
const gaveUp = { by: 'failures' } as const;

spec('SVC-044 a service that runs has no cause but those of its copies', () => {
  assert.equal(lines({}), []);
  assert.equal(lines({}, { ...self, copies }), byCopies);
  assert.equal(lines({ gate: 'Draft' }, { ...self, copies }), [], 'a draft waits for its owner alone');
});

spec('SVC-041 SVC-041a SVC-042 SVC-043 copies that fail or start report why', () => {
  const rows = [
    { pods: 'failed', attempting: true },
    { pods: 'failed' },
    { pods: 'none' },
    { pods: 'starting' },
  ] as const;
  for (const row of rows) assert.equal(lines(row, { ...self, copies }), byCopies, JSON.stringify(row));
});

spec('SVC-022 what was given up keeps the cause of the row that would hold otherwise', () => {
  assert.equal(lines({ gaveUp, pods: 'failed' }, { ...self, copies }), byCopies);
  assert.match(lines({ gaveUp, room: { nodes: 'none', crowded: null } })[0] ?? '', /^failure NoNode/);
  assert.equal(lines({ gaveUp }), []);
});

spec('SVC-027 SVC-029 SVC-036 SVC-036b a wait names its object and ends in the root of that', () => {
  const database = { kind: 'CoreLogicalDatabase', name: 'orders', is: 'notReady' } as const;
  const bucket = { kind: 'CoreObjectStore', name: 'files', is: 'notReady' } as const;
  assert.equal(lines({ project: { name: 'shop', is: 'notReady' } }), [
    `waiting ProjectNotReady on CoreProject shop: project "shop" is not ready: ${root}`,
  ]);
  assert.equal(lines({ cluster: { name: 'main', ready: false } }), [
    `waiting ClusterNotReady on CoreCluster main: project "shop" cluster "main" is not ready: ${root}`,
  ]);
  assert.equal(lines({ databases: [database] }), [
    `waiting DatabaseNotReady on CoreLogicalDatabase orders: database "orders" is not ready: ${root}`,
  ]);
  assert.equal(lines({ buckets: [bucket] }), [
    `waiting BucketNotReady on CoreObjectStore files: bucket "files" is not ready: ${root}`,
  ]);
  assert.equal(
    lines({ databases: [database] }, without),
    ['waiting DatabaseNotReady on CoreLogicalDatabase orders: database "orders" is not ready'],
    'what has no cause of its own, or is gone',
  );
});

spec('SVC-033 without an image it is the cause of the current build', () => {
  const waits = { source: 'git', image: '', currentBuild: 'it-1', build: 'Failed' } as const;
  const of = (reason: string, severity: StoredCause['severity']) =>
    input('CoreApp', {
      causeOf: (kind, name) =>
        kind === 'CoreBuild' && name === 'it-1'
          ? { ...hanging, reason, severity, message: 'words', on: { kind, name, namespace: 'core-system' } }
          : undefined,
    });
  assert.equal(lines(waits, of('FirstPushAwaited', 'waiting')), ['waiting FirstPushAwaited on CoreBuild it-1: words']);
  assert.equal(lines(waits, of('BuildFailed', 'failure')), ['waiting BuildFailed on CoreBuild it-1: words']);
  assert.equal(lines(waits, of('ChecksPending', 'progress')), ['progress ChecksPending on CoreBuild it-1: words']);
  assert.equal(lines(waits, without), ['progress BuildRunning on CoreBuild it-1: the commit is being built']);
  assert.equal(
    lines({ ...waits, currentBuild: '', build: null }, without),
    ['progress BuildRunning on CoreApp it: the commit is being built'],
    'before there is a build',
  );
});

spec('SVC-037 a missing Secret and a missing key name the object and the variable', () => {
  const on = { kind: 'Secret', name: 'shared', namespace: 'shop-live' };
  const missing = { what: 'shared variable "A"', on, key: null, variable: 'A' };
  for (const attempting of [true, false]) {
    assert.equal(lines({ attempting, missing }), [
      'failure SecretMissing on Secret shared: Secret "shared" is missing, variable A',
    ]);
    assert.equal(lines({ attempting, missing: { ...missing, key: 'a' } }), [
      'failure KeyMissing on Secret shared: Secret "shared": key "a" is missing, variable A',
    ]);
  }
});

spec('SVC-043a SVC-043b a host that leads elsewhere names the service that has it', () => {
  const name = 'web.example.com';
  assert.equal(lines({ host: { name, leads: 'toAnother', owner: 'older' } }), [
    `failure HostTaken on CoreApp older: The host ${name} belongs to another service`,
  ]);
  assert.equal(lines({ host: { name, leads: 'toTheDashboard' } }), [
    `failure HostTaken on CoreApp it: The host ${name} is the dashboard's`,
  ]);
});

spec('SVC-045 what is still to be written is named, unless nothing is written any more', () => {
  const on = { kind: 'Service', name: 'web', namespace: 'shop-live' };
  const stale = { workload: 'stale', due: [on] } as const;
  assert.equal(lines(stale), ['progress CopiesStarting on Service web: Service "web" is being written']);
  assert.equal(lines({ workload: 'stale' }), ['progress CopiesStarting on CoreApp it: Service is being provisioned']);
  assert.equal(lines({ ...stale, gaveUp }), []);
  assert.equal(lines(stale, { ...self, copies }), byCopies, 'copies that fail come first');
});

spec('SVC-024 SVC-024a SVC-024b a failed act is reported in the words of the cluster', () => {
  const on = { kind: 'Deployment', name: 'web', namespace: 'shop-live' };
  const failed = (why: string, counts: 'permanent' | 'counted' | 'waiting' = 'counted') =>
    lines({ failure: { counts, why, on } })[0] ?? '';
  assert.is(
    failed('denied', 'permanent'),
    'failure ClusterRefused on Deployment web: the cluster refuses to write Deployment "web": denied',
  );
  assert.match(failed('is forbidden: exceeded quota: q'), /^failure QuotaExceeded on Deployment web/);
  assert.match(failed('Deployment web already exists and is not managed by Core'), /^failure ForeignObject/);
  assert.match(
    failed('unable to create new content in namespace shop-live because it is being terminated'),
    /^failure NamespaceTerminating on Namespace shop-live/,
  );
  assert.match(failed('timeout', 'waiting'), /^progress ClusterRefused/);
});

spec('SVC-025 to SVC-040a a message that is its own cause keeps its words', () => {
  const git = { source: 'git', image: '', connection: { name: 'hub', is: 'found' } } as const;
  const absent = (kind: 'CoreDatabase' | 'CoreObjectStore') => ({ kind, name: 'x', is: 'absent' }) as const;
  const rows: readonly (readonly [Partial<ServiceStanding>, string])[] = [
    [{ gate: 'SnapshotMissing' }, 'failure SettingRefused on CoreApp it'],
    [{ project: { name: 'shop', is: 'absent' } }, 'failure ProjectMissing on CoreProject shop'],
    [{ project: { name: 'shop', is: 'withoutEnvironment' } }, 'failure EnvironmentMissing on CoreProject shop'],
    [
      { ...git, connection: { name: 'hub', is: 'absent' } },
      'failure GitConnectionNotReady on CoreGitHostConnection hub',
    ],
    [{ ...git, secret: { name: 'token', found: false } }, 'failure SecretMissing on Secret token'],
    [{ ...git, secret: { name: 'token', found: true }, registry: '' }, 'failure RegistryMissing on CoreApp it'],
    [{ isCodeTooLong: true }, 'failure SettingRefused on CoreApp it'],
    [{ databases: [absent('CoreDatabase')] }, 'failure DatabaseMissing on CoreDatabase x'],
    [{ buckets: [absent('CoreObjectStore')] }, 'failure BucketMissing on CoreObjectStore x'],
    [{ room: { nodes: 'none', crowded: null } }, 'failure NoNode on CoreApp it'],
    [{ room: { nodes: 'reserved', crowded: null } }, 'failure NodesReserved on CoreApp it'],
    [{ room: { nodes: 'fit', crowded: { cpu: '1', memory: '1Gi', free: 'none' } } }, 'failure NoRoom on CoreApp it'],
    [{ room: { nodes: 'full', crowded: null } }, 'failure NoRoom on CoreApp it'],
  ];
  for (const [change, expected] of rows) {
    const [line = ''] = lines(change);
    const message = serviceReady.find(({ when }) => when({ ...served, ...change }))?.message({ ...served, ...change });
    assert.is(line, `${expected}: ${message?.text ?? ''}`);
  }
});

spec.run();
