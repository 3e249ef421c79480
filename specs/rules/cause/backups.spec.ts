import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { type BackupsTold, causesOfBackups, type DumpSeen } from '../../../rules/databaseBackup/found.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import { suite } from '../../support/suite.ts';
import { endedPod, jobOf, lineOf, unpulledPod } from './told.ts';

const spec = suite('the causes of backups at risk');

const next = '2026-07-02T02:07:00.000Z';
const dump = (hasFailed: boolean, ...pods: readonly StartingPod[]): DumpSeen => ({
  job: jobOf(...pods),
  hasFailed,
  next,
});
const starting: BackupsTold = {
  self: { kind: 'CoreDatabase', name: 'orders', namespace: 'core-system' },
  project: { kind: 'CoreProject', name: 'shop', namespace: 'core-system' },
  state: 'Starting',
  message: 'Taking the first backup',
  dump: null,
  base: null,
  archiving: null,
  missed: null,
  before: [],
};
const atRisk: BackupsTold = { ...starting, state: 'AtRisk', message: 'The latest backup failed' };
const lines = (of: BackupsTold) => causesOfBackups(of).map(lineOf);
const failedLine = `failure BackupFailed on Job the-job: the backup of 2026-07-01T11:55:00.000Z failed: exit code 4; next ${next}`;

spec('a failed first dump tells its exit code, its last line and the next run', () => {
  const [cause] = causesOfBackups({ ...starting, dump: dump(true, endedPod(4, 'ERROR: hunter22 was refused')) });
  assert.is(cause && lineOf(cause), failedLine);
  assert.equal([cause?.of, cause?.exitCode, cause?.logLine], ['Backups', 4, 'ERROR: *** was refused']);
});

spec('the next try of a failed first dump keeps its cause until one succeeds', () => {
  const before = causesOfBackups({ ...starting, dump: dump(true, endedPod(4, 'ERROR: no')) }).map(
    ({ message, ...rest }) => ({ ...rest, severity: 'failure', since: 'T', message: message.text }),
  ) as unknown as readonly StoredCause[];
  const again = causesOfBackups({ ...starting, dump: dump(false), before });
  assert.equal(again.map(lineOf), [failedLine]);
  assert.equal([again[0]?.exitCode, again[0]?.logLine], [4, 'ERROR: no']);
});

spec('a first dump that runs tells since when; one whose pod does not start tells why', () => {
  assert.equal(lines({ ...starting, dump: dump(false) }), [
    'progress CopiesStarting on Job the-job: the first backup runs since 2026-07-01T11:55:00.000Z',
  ]);
  assert.equal(lines(starting), ['progress CopiesStarting on CoreDatabase orders: the first backup is awaited']);
  assert.match(lines({ ...starting, dump: dump(false, unpulledPod) })[0] ?? '', /^failure ImagePullFailed on Job/);
});

spec('at risk: the change log precedes the latest backup, that a missed night', () => {
  const on = { kind: 'Cluster', name: 'orders', namespace: 'shop-live' };
  const archiving = { on, at: 'T1', why: 'exit status 2' };
  const base = { on, at: 'T2', why: 'no space left', next };
  assert.equal(lines({ ...atRisk, archiving, base }), [
    'failure ChangesNotSaved on Cluster orders: the change log is not archived since T1: exit status 2',
  ]);
  assert.equal(lines({ ...atRisk, base }), [
    `failure BackupFailed on Cluster orders: the backup of T2 failed; next ${next}: no space left`,
  ]);
  assert.equal(lines({ ...atRisk, dump: dump(true, endedPod(4)), missed: 'T3' }), [failedLine]);
  assert.equal(lines({ ...atRisk, missed: 'T3' }), [
    'failure BackupFailed on CoreDatabase orders: no backup was taken at T3',
  ]);
  assert.equal(lines(atRisk), ['failure BackupFailed on CoreDatabase orders: The latest backup failed']);
});

spec('without storage the text of the document is the cause, on the project', () => {
  const noPlace = 'Choose where backups are stored to protect this database';
  assert.equal(lines({ ...starting, state: 'NeedsStorage', message: noPlace }), [
    `failure BackupStorageMissing on CoreProject shop: ${noPlace}`,
  ]);
  const failing = 'Backup storage is not working: AccessDenied';
  assert.equal(lines({ ...starting, state: 'NeedsStorage', message: failing }), [
    `failure BackupStorageFailing on CoreProject shop: ${failing}`,
  ]);
});

spec('protected data have no cause', () => {
  assert.equal(lines({ ...starting, state: 'Protected' }), []);
});

spec.run();
