import { Effect, Fiber } from 'effect';
import * as assert from 'uvu/assert';
import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label, managedBy, systemNamespace } from '../../../crds/names.ts';
import { purposeLabel } from '../../../rules/backup/jobs.ts';
import { baseEnd, dumpIn } from '../../../rules/backup/points.ts';
import { runBackups } from '../../../runtime/local/addons/backups.ts';
import { rulesMap } from '../../../runtime/local/addons/rulesMap.ts';
import type { AddonRule } from '../../../runtime/local/addons/rules.ts';
import { backupJobs, postgresBackups, postgresClusters, scheduledBackups } from '../../../runtime/owned/addonKinds.ts';
import { namespaces, secrets } from '../../../runtime/services/cluster/resources.ts';
import { putDefinition } from '../../support/engines.ts';
import { accountOf, rootKey } from '../../support/memory/cloud.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { makeTestEnvironment } from '../../support/environment.ts';
import { statusOf, traceOf } from './addons/trace.ts';

const spec = suite('simulated backups');
const namespace = 'shop-production';
const bucket = 'backups';
const labels = { [label.managedBy]: managedBy, [label.kind]: 'CoreDatabase', [label.name]: 'orders' };

/** An environment with a bucket and the keys for it, while backups are simulated. */
async function simulating(test: (environment: ReturnType<typeof makeTestEnvironment>) => Promise<void>): Promise<void> {
  const environment = makeTestEnvironment({ now: Date.now });
  environment.cluster.put(namespaces, { metadata: { name: namespace } });
  putDefinition(environment);
  await Effect.runPromise(environment.cloud.cloud.makeBucket(accountOf(), bucket));
  const data = { ACCESS_KEY_ID: rootKey.accessKeyId, ACCESS_SECRET_KEY: rootKey.secret, REGION: 'eu-central-1' };
  const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString('base64')] as const);
  environment.cluster.put(secrets, { metadata: { name: 'keys', namespace }, data: Object.fromEntries(encoded) });
  const running = Effect.runFork(Effect.scoped(runBackups).pipe(Effect.provideContext(environment.services)));
  try {
    await test(environment);
  } finally {
    await Effect.runPromise(Fiber.interrupt(running));
  }
}

type TestEnvironment = ReturnType<typeof makeTestEnvironment>;
const rule = ({ cluster }: TestEnvironment, ...rules: readonly AddonRule[]) =>
  cluster.put(rulesMap, {
    metadata: { name: 'simulated-addons', namespace: systemNamespace },
    data: { rules: JSON.stringify(rules) },
  });

const jobOf = (purpose: string, hasSucceeded: boolean): Job => ({
  metadata: { name: `orders-backup-${purpose}`, namespace, labels: { ...labels, [purposeLabel]: purpose } },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'upload',
            env: [
              { name: 'ENDPOINT', value: 'http://cloud.test' },
              { name: 'BUCKET', value: bucket },
              { name: 'FOLDER', value: 'shop/orders-1' },
              { name: 'ACCESS_KEY_ID', valueFrom: { secretKeyRef: { name: 'keys', key: 'ACCESS_KEY_ID' } } },
            ],
          },
        ],
      },
    },
  },
  status: hasSucceeded ? { conditions: [{ type: 'SuccessCriteriaMet', status: 'True' }] } : {},
});

spec('a successful dump Job leaves one restore point, and a restore Job none', () =>
  simulating(async ({ cluster, cloud }) => {
    cluster.put(backupJobs, jobOf('daily', false));
    cluster.put(backupJobs, jobOf('restore', true));
    cluster.put(backupJobs, jobOf('first', true));
    const marked = () =>
      cluster.all(backupJobs).filter(({ metadata }) => metadata.annotations?.['core.platform/simulated-dump']);
    await until(() => marked().length > 0, 'a dump stands');
    assert.equal(
      marked().map(({ metadata }) => metadata.name),
      ['orders-backup-first'],
    );
    const [path = '', ...others] = cloud.stored(bucket);
    assert.ok(dumpIn(path.slice('shop/orders-1/'.length)), path);
    assert.equal(others, []);
  }),
);

spec('a dump Job fails or hangs by its rule and leaves no dump', () =>
  simulating(async (environment) => {
    const { cluster, cloud } = environment;
    rule(environment, { match: 'orders-backup-daily', fails: true }, { match: '*-final', hang: true });
    cluster.put(backupJobs, jobOf('final', true));
    cluster.put(backupJobs, jobOf('daily', true));
    const conditions = (purpose: string) =>
      cluster
        .all(backupJobs)
        .find(({ metadata }) => metadata.name.endsWith(purpose))
        ?.status?.conditions?.map(({ type }) => type);
    await until(() => conditions('daily')?.join() === 'Failed', 'it fails');
    assert.equal(conditions('final'), ['SuccessCriteriaMet']);
    assert.equal(cloud.stored(bucket), []);
    rule(environment);
    await until(() => cloud.stored(bucket).length > 0, 'what hung goes on without the rule');
    assert.equal(conditions('daily'), ['Failed']);
  }),
);

/** A Postgres server with a schedule, which archives into the bucket. */
function putServer({ cluster }: TestEnvironment): void {
  const backup = {
    barmanObjectStore: {
      destinationPath: `s3://${bucket}/shop`,
      endpointURL: 'http://cloud.test',
      serverName: 'orders-1',
      s3Credentials: { accessKeyId: { name: 'keys', key: 'ACCESS_KEY_ID' } },
    },
  };
  const metadata = { name: 'orders', namespace, labels };
  cluster.put(postgresClusters, { metadata, spec: { backup } } as KubeObject);
  cluster.put(scheduledBackups, { metadata, spec: { cluster: { name: 'orders' } } } as KubeObject);
}

interface Told extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
const told = ({ cluster }: TestEnvironment) =>
  (cluster.all(postgresClusters) as readonly Told[])[0]?.status?.conditions
    ?.map(({ type, status }) => `${type} ${status}`)
    .join();

spec('a Backup fails and a change log stays unsaved by their rules, until the rules are removed', () =>
  simulating(async (environment) => {
    const { cluster, cloud } = environment;
    rule(
      environment,
      { match: 'orders', fails: true },
      { match: 'orders-2*', fails: true },
      { match: '*-hand', hang: true },
    );
    putServer(environment);
    await until(() => told(environment) === 'ContinuousArchiving False,LastBackupSucceeded False', 'both are told');
    const manual = { name: 'orders-hand', namespace };
    cluster.put(postgresBackups, { metadata: manual, spec: { cluster: { name: 'orders' } } } as KubeObject);
    rule(environment, { match: '*-hand', hang: true });
    await until(() => told(environment) === 'ContinuousArchiving True,LastBackupSucceeded False', 'its log is saved');
    assert.equal(cloud.stored(bucket), []);
    const [failed] = cluster.all(postgresBackups).filter(({ status }) => status?.phase === 'failed');
    cluster.drop(postgresBackups, failed?.metadata.name ?? '', namespace);
    rule(environment, { match: '*-hand', hang: true }, { match: 'orders', fails: true });
    await until(() => told(environment) === 'ContinuousArchiving False,LastBackupSucceeded False', 'it stays told');
    rule(environment);
    await until(() => told(environment) === 'ContinuousArchiving True,LastBackupSucceeded True', 'all is well');
    assert.is(cloud.stored(bucket).length, 1);
    assert.equal(
      cluster.all(postgresBackups).map(({ status }) => status?.phase),
      ['completed'],
    );
  }),
);

spec('a stale view of a dump Job causes no second dump', () =>
  simulating(async (environment) => {
    const { cluster, cloud } = environment;
    cluster.put(backupJobs, jobOf('first', true));
    cluster.lag(backupJobs, true);
    await until(() => cloud.stored(bucket).length > 0, 'its dump stands');
    putServer(environment);
    await until(() => cluster.all(postgresBackups)[0]?.status?.phase === 'completed', 'it is looked again');
    assert.is(cloud.calls.filter((call) => /^write.*dumps/.test(call)).length, 1, cloud.calls.join('\n'));
  }),
);

spec('an archived server takes its first base backup and reports it', () =>
  simulating(async (environment) => {
    const { cluster, cloud } = environment;
    putServer(environment);
    await until(() => cluster.all(postgresBackups)[0]?.status?.phase === 'completed', 'it is taken');
    const [path = ''] = cloud.stored(bucket);
    assert.match(path, /^shop\/orders-1\/base\/\d{8}T\d{6}Z\/backup\.info$/);
    const info = await Effect.runPromise(cloud.cloud.read(accountOf(), bucket, path));
    assert.ok(Math.abs((baseEnd(info ?? '') ?? 0) - Date.now()) < 60_000, info ?? '');
    const [server] = cluster.all(postgresClusters) as readonly (KubeObject & { readonly status?: object })[];
    assert.match(JSON.stringify(server?.status), /ContinuousArchiving.*LastBackupSucceeded/);
    const [taken, ...others] = cluster.all(postgresBackups);
    assert.equal(others, []);
    assert.is(taken?.metadata.labels?.['core.platform/managed-by'], undefined, 'Core would remove it as surplus');
    assert.equal(
      taken?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
      ['ScheduledBackup orders'],
    );
  }),
);

const linesOf = (status: object) => Object.entries(status).map((entry) => JSON.stringify(entry));

spec('the conditions of an archived server through its first backup are those of the recorded operator', () =>
  simulating(async (environment) => {
    const { cluster } = environment;
    const said: string[] = [];
    cluster.onChange((changed) => {
      if (changed.kind !== 'Cluster') return;
      said.push(...linesOf(statusOf(changed)).filter((line) => !said.includes(line)));
    });
    putServer(environment);
    const { events } = traceOf('backup');
    const recorded = events.flatMap(({ status = {} }) => linesOf(status));
    await until(() => said.length >= recorded.length, 'they are said');
    assert.equal(said, recorded);
  }),
);

spec.run();
