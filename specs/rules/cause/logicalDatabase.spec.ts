import * as assert from 'uvu/assert';
import { logicalDatabaseReady, type LogicalDatabaseStanding } from '../../../rules/logicalDatabase/ready.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import { suite } from '../../support/suite.ts';
import { endedPod, hanging, input, jobOf, told, unpulledPod } from './told.ts';

const spec = suite('the causes of a logical database');

const server = {
  is: 'found',
  ready: true,
  owner: 'here',
  engine: 'Postgres',
  external: false,
  hasConnection: true,
  region: '',
  placedOn: null,
} as const;
const created: LogicalDatabaseStanding = {
  retrying: false,
  gaveUp: null,
  leaving: null,
  project: 'shop',
  environment: 'live',
  projectSeen: { is: 'fine', region: '', requiredTags: [] },
  serverName: 'main',
  server,
  databaseName: 'app',
  movedFrom: '',
  heldByOther: false,
  created: true,
  connection: true,
  adminLogin: true,
  job: 'succeeded',
  connected: true,
  contested: [],
  failure: null,
};
const self = input('CoreLogicalDatabase', { causeOf: () => hanging });
const lines = (change: Partial<LogicalDatabaseStanding>, given = self) =>
  told(logicalDatabaseReady, { ...created, ...change }, given);

spec('a created database has no cause', () => {
  assert.equal(lines({}), []);
});

spec('LDB-008a LDB-070 a wait for the project or the server names it, and ends in the root of that', () => {
  const root = ': namespace "shop-staging" is being deleted';
  assert.equal(lines({ projectSeen: { is: 'notReady' } }), [
    `waiting ProjectNotReady on CoreProject shop: project "shop" is not ready${root}`,
  ]);
  assert.equal(lines({ server: { ...server, ready: false } }), [
    `waiting ServerNotReady on CoreDatabase main: database server "main" is not ready${root}`,
  ]);
});

spec('LDB-079 what was given up keeps the cause of the row that would hold otherwise', () => {
  const waits = lines({ gaveUp: { by: 'failures' }, projectSeen: { is: 'notReady' } });
  assert.match(waits[0] ?? '', /^waiting ProjectNotReady/);
});

spec('LDB-046 the connection Secret is being written, unless it was given up', () => {
  assert.equal(lines({ connected: false }), [
    'progress CopiesStarting on CoreLogicalDatabase it: the connection Secret is being written',
  ]);
  assert.equal(lines({ connected: false, gaveUp: { by: 'failures' } }), []);
});

spec('LDB-081 the Secret of the administrator is named by the engine', () => {
  const awaited = { created: false, adminLogin: false };
  assert.equal(lines(awaited), ['failure SecretMissing on CoreDatabase main: Secret "main-superuser" is missing']);
  assert.match(lines({ ...awaited, server: { ...server, engine: 'MySQL' } })[0] ?? '', /Secret "main-bootstrap"/);
});

spec('LDB-082 LDB-083 the Job that creates it tells why it fails or does not start', () => {
  const job = (...pods: readonly StartingPod[]) => ({ ...self, job: () => jobOf(...pods) });
  const failed = 'failure CreateJobFailed on Job the-job: the-job failed: exit code 2';
  assert.equal(lines({ created: false, job: 'running' }, job(endedPod(2))), [failed]);
  assert.equal(lines({ created: false, job: 'failed' }, job(endedPod(2))), [failed]);
  assert.match(lines({ created: false, job: 'running' }, job(unpulledPod))[0] ?? '', /^failure ImagePullFailed/);
  assert.equal(lines({ created: false, job: 'absent' }), [
    'progress CopiesStarting on CoreLogicalDatabase it: creating logical database',
  ]);
  assert.equal(lines({ created: false, job: 'failed' }), [
    'failure CreateJobFailed on CoreLogicalDatabase it: database creation Job failed',
  ]);
});

spec('LDB-096d LDB-096e LDB-096f a failed act is told by the words of the cluster; one that waits needs nobody', () => {
  const failure = { why: 'exceeded quota: q', counts: 'counted' } as const;
  assert.match(lines({ failure })[0] ?? '', /^failure QuotaExceeded/);
  assert.match(lines({ failure: { why: 'forbidden', counts: 'permanent' } })[0] ?? '', /^failure ClusterRefused/);
  assert.match(lines({ failure: { why: 'timeout', counts: 'waiting' } })[0] ?? '', /^progress ClusterRefused/);
});

spec.run();
