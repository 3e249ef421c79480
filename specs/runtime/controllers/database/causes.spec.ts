import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../../crds/cause.ts';
import { jobNameLabel, label, managedBy } from '../../../../crds/names.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { workloadPods } from '../../../../runtime/controllers/capacity.ts';
import { projects } from '../../../../runtime/services/cluster/kinds.ts';
import { backupsSession, endJob, jobIn, putConnection, putDump, putStorage } from '../../../support/backups.ts';
import { projectIn } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { suite } from '../../../support/suite.ts';
import { endedPod } from '../../../rules/cause/told.ts';

const spec = suite('the recorded causes of a database');
const first = 'orders-backup-first';

type Session = Awaited<ReturnType<typeof backupsSession>>;
const causesOf = (session: Session): readonly StoredCause[] => session.object().status?.causes ?? [];
const lineOf = ({ of, severity, reason, on, exitCode, gaveUp, resolved }: StoredCause) =>
  [of, severity, reason, on.name, exitCode, gaveUp && 'gaveUp', resolved && 'resolved'].filter(Boolean).join(' ');

/** The pod of the first dump, as it ended. */
function putFailedDump({ cluster }: TestEnvironment): void {
  const pod = endedPod(5, 'connecting\nERROR: the server refused');
  const metadata = {
    name: `${first}-x`,
    namespace: 'shop-production',
    labels: { [label.managedBy]: managedBy, [purposeLabel]: 'orders', [jobNameLabel]: first },
  };
  cluster.put(workloadPods, { ...pod, apiVersion: 'v1', kind: 'Pod', metadata });
}

/** The project as it reports itself. */
function putReady({ cluster }: TestEnvironment, project: ReturnType<typeof projectIn>, status: 'True' | 'False'): void {
  if (!project) throw new Error('there is no project');
  const conditions = [{ ...conditionOf(project, 'Ready'), type: 'Ready', status, reason: 'X', message: '' }];
  const hanging = {
    of: 'Ready',
    reason: 'NamespaceTerminating',
    severity: 'failure',
    message: 'namespace "shop-staging" is being deleted',
    on: { kind: 'Namespace', name: 'shop-staging', namespace: '' },
    since: '2026-01-01T00:00:00Z',
  };
  const causes = status === 'True' ? [] : [hanging];
  cluster.put(projects, { ...project, status: { ...project.status, conditions, causes } } as typeof project);
}

spec('a failed first dump is told beside Ready, under the text of the documents', async () => {
  const session = await backupsSession();
  await session.pass(2);
  await session.run();
  await session.pass(70);
  assert.equal(causesOf(session).map(lineOf), [`Backups progress CopiesStarting ${first}`]);
  await session.edit((environment) => {
    putFailedDump(environment);
    endJob(environment, first, 'Failed');
  });
  await session.pass(5);
  assert.is(session.backup()?.message, 'Taking the first backup');
  assert.match(conditionOf(session.object(), 'Ready')?.status ?? '', 'True');
  const [cause] = causesOf(session);
  assert.equal(cause && lineOf(cause), `Backups failure BackupFailed ${first} 5`);
  assert.is(cause?.logLine, 'ERROR: the server refused');
  assert.match(cause?.message ?? '', /^the backup of .* failed: exit code 5; next /);
  assert.ok(jobIn(session.environment, first));
  await session.end();
});

spec('DB-199 a database that was given up for its project says that this is over', async () => {
  const session = await backupsSession();
  await session.pass(2);
  await session.run();
  await session.pass(10);
  await session.edit((environment) => putReady(environment, projectIn(environment), 'False'));
  await session.pass(240);
  assert.is(session.object().status?.phase, 'ProvisionFailed');
  const ofReady = () => causesOf(session).filter(({ of }) => of === 'Ready');
  assert.equal(ofReady().map(lineOf), ['Ready waiting ProjectNotReady shop gaveUp']);
  assert.is(ofReady()[0]?.message, 'project "shop" is not ready: namespace "shop-staging" is being deleted');
  assert.is(ofReady()[0]?.root?.reason, 'NamespaceTerminating');
  await session.edit((environment) => putReady(environment, projectIn(environment), 'True'));
  await session.pass(10);
  assert.is(session.object().status?.phase, 'ProvisionFailed');
  assert.equal(ofReady().map(lineOf), ['Ready waiting ProjectNotReady shop gaveUp resolved']);
  await session.end();
});

spec('DB-142a a deletion reports the last backup that it waits for, and until when', async () => {
  const session = await backupsSession();
  await session.pass(2);
  await session.run();
  await session.pass(70);
  const folder = session.archive()?.spec.serverName ?? '';
  await session.edit((environment) => {
    putDump(environment, folder, session.time.now());
    endJob(environment, first, 'Complete');
  });
  await session.pass(10);
  await session.remove();
  await session.pass(5);
  assert.is(session.phase(), 'FinalBackup');
  const deletion = causesOf(session).find(({ of }) => of === 'Deletion');
  assert.equal(deletion && lineOf(deletion), 'Deletion waiting DeletionWaits orders-final');
  const until = Date.parse(session.object().metadata.deletionTimestamp ?? '') + 600_000;
  assert.is(deletion?.message, `the last backup orders-final is awaited until ${new Date(until).toISOString()}`);
  await session.end();
});

spec('PRJ-081 without a place for backups the project is at fault, beside Ready', async () => {
  const session = await backupsSession({}, (environment) => {
    putConnection(environment);
    putStorage(environment, null);
  });
  await session.pass(2);
  await session.run();
  await session.pass(70);
  assert.is(session.state(), 'NeedsStorage');
  assert.equal(causesOf(session).map(lineOf), ['Backups failure BackupStorageMissing shop']);
  assert.match(conditionOf(session.object(), 'Ready')?.status ?? '', 'True');
  await session.end();
});

spec.run();
