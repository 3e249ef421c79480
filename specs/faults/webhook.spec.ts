import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { postgresClusters } from '../../runtime/owned/addonKinds.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { databaseName } from '../support/database.ts';
import { putDefinition } from '../support/engines.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { suite } from '../support/suite.ts';
import { userBuild, type TestEnvironment } from '../support/environment.ts';
import type { Plan } from './plan/plan.ts';
import type { WebhookAnswer, WebhookFault } from './services/fault.ts';
import { environmentWith } from './services/environment.ts';
import { databaseSubject } from './subjects/database.ts';
import { stateIn } from './subjects/database/paths.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import type { Act, FaultSubject, Path } from './subjects/subject.ts';
import { verify } from './verify.ts';

const spec = suite('faults: the webhook of the operator for Postgres');

const server = { metadata: { name: 'orders', namespace: 'default' }, spec: { instances: 1, storage: { size: '1Gi' } } };

/** A cluster with the operator for Postgres, behind its webhook. */
function withOperator(fault: WebhookFault) {
  const environment = environmentWith(fault);
  putDefinition({ cluster: environment.memory } as TestEnvironment);
  return environment;
}

/** How the second of three creations of a server fails, in words. */
async function refused(answers: WebhookAnswer): Promise<readonly unknown[]> {
  const { cluster, ask, touched } = withOperator({ is: 'webhook', answers, at: 2 });
  await ask(cluster.create(builds, userBuild('a')));
  await ask(cluster.create(postgresClusters, server));
  const failed = await Effect.runPromise(Effect.flip(cluster.apply(postgresClusters, server, 'nothing')));
  const removed = await ask(cluster.remove(postgresClusters, server.metadata));
  const created = await ask(cluster.create(postgresClusters, server));
  assert.equal([removed.answer, created.answer, touched()], ['done', 'done', [1]]);
  return [failed._tag, errorMessage(failed)];
}

spec('a failing webhook fails only its own writes, with the errors of a real API server', async () => {
  assert.equal(await refused('nothing'), ['Unavailable', 'webhook "mcluster.cnpg.io" does not answer']);
  const denied = 'admission webhook "vcluster.cnpg.io" denied the request: ';
  assert.equal(await refused('forbidden'), ['Refused', `${denied}not while the operator is upgraded`]);
  const why = 'Cluster.postgresql.cnpg.io "orders" is invalid: spec: Invalid value: "object": not this one';
  assert.equal(await refused('invalid'), ['Refused', denied + why]);
});

spec('a webhook is unavailable for a time counted from a write', async () => {
  const { cluster, ask, later } = withOperator({ is: 'webhookAway', at: 2, ms: 60_000 });
  const answers: string[] = [];
  for (const [name, ms] of [
    ['a', 0],
    ['b', 0],
    ['c', 59_999],
    ['d', 1],
  ] as const) {
    await later(ms);
    answers.push(
      (await ask(cluster.create(postgresClusters, { ...server, metadata: { ...server.metadata, name } }))).answer,
    );
  }
  assert.equal(answers, ['done', 'Unavailable', 'Unavailable', 'done']);
});

/** Asks for Retry once a denial was told. */
const retried: Act = {
  text: 'Retry',
  when: (fakes) => stateIn(fakes) === 'ProvisionFailed',
  command: { kind: 'CoreDatabase', machine: 'provisionRetry', name: databaseName, asked: 'retry' },
};

/** What was given up leaves its count behind. */
const mayDifferOn =
  ({ mayDiffer = () => false }: Path): typeof mayDiffer =>
  (difference, troubles) =>
    difference.includes('.status.reconcileRetry') || mayDiffer(difference, troubles);

/** A path whose n-th write to the operator is denied, and a person who asks for Retry after so many of its acts. */
function denied(subject: FaultSubject, name: string, at: number, after: number): readonly Plan[] {
  const path = subject.paths.find((one) => one.name === name);
  if (!path) throw new Error(`no path is called ${name}`);
  const script = path.script.toSpliced(after, 0, retried);
  return (['forbidden', 'invalid'] as const).map((answers) => ({
    subject,
    path: { ...path, name: `${name}, denied once`, script, mayDiffer: mayDifferOn(path) },
    troubles: [{ is: 'webhook', answers, at }],
  }));
}

const denials: readonly (readonly [of: FaultSubject, path: string, at: number, after: number])[] = [
  [databaseSubject, 'Postgres is deployed', 1, 1],
  [databaseSubject, 'Postgres is given more memory', 2, 1],
  [databaseBackupSubject, 'Postgres is protected', 1, 0],
  [databaseBackupSubject, 'Postgres is restored to a point', 1, 0],
];
for (const [of, path, at, after] of denials)
  spec(`${of.name}: ${path} fails at once when a webhook denies one write, and succeeds after Retry`, async () => {
    for (const plan of denied(of, path, at, after)) assert.equal((await verify(plan)).wrong, [], path);
  });

spec.run();
