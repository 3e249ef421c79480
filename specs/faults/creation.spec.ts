import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { servedBy } from './plan/product.ts';
import { type Plan, readPlan, sayPlan } from './plan/plan.ts';
import { readTrouble, type Trouble } from './plan/trouble.ts';
import type { TestEnvironment } from '../support/environment.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { appSubject } from './subjects/app.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import { consoleSessionSubject } from './subjects/consoleSession.ts';
import { databaseSubject } from './subjects/database.ts';
import { deploymentSubject } from './subjects/deployment.ts';
import { logicalDatabaseSubject } from './subjects/logicalDatabase.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';
import { serviceSubject } from './subjects/service.ts';
import type { FaultSubject } from './subjects/subject.ts';
import { verify } from './verify.ts';
import { run } from './environment/run.ts';

const spec = suite('faults: creations');

const subjects = [
  appSubject,
  databaseBackupSubject,
  consoleSessionSubject,
  databaseSubject,
  deploymentSubject,
  logicalDatabaseSubject,
  objectStoreSubject,
  serviceSubject,
];

function planOf(path: string): Plan {
  const plan = readPlan(path, subjects);
  if (typeof plan === 'string') throw new Error(plan);
  return plan;
}

/** Every plan holds; returns what is wrong with the others. */
async function violations(of: Plan, each: readonly (readonly Trouble[])[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const troubles of each) {
    const plan = { ...of, troubles };
    const verified = await verify(plan);
    const vacuous = verified.untouched.map(({ is }) => `touches nothing: ${is}`);
    wrong.push(...[...verified.wrong, ...vacuous].map((one) => `${sayPlan(plan)}: ${one}`));
  }
  return wrong;
}

const troubles = [
  'dies at=1 when=after',
  'dies at=2 when=before',
  'dies at=2 when=after',
  'dies at=3 when=before',
  'timeOut at=2 for=1 on=write',
  'loseAnswer noticed=atOnce at=1 for=1',
  'standBy / dies at=3 when=after',
].map((text) => text.split(' / ').flatMap((one) => readTrouble(one) ?? []));

/** Every kind that a request creates. */
const requested = [
  'database / a draft is created',
  'database / it is created and deployed',
  'service / it is created and deployed',
  'objectStore / it is created and deployed',
  'logicalDatabase / created',
  'consoleSession / a session is created',
];

for (const path of requested) {
  spec(
    `KND-048 KND-048a LDB-092 CON-066 ${path}: the history begins with the creation after any interruption`,
    async () => {
      assert.equal(await violations(planOf(path), troubles), []);
    },
  );

  spec(
    `KND-048 KND-048a LDB-092 CON-066 ${path}: the history begins with the creation whenever a leader acts`,
    async () => {
      const plan = planOf(path);
      const countersOf = async (those: readonly Trouble[]) => (await run({ ...plan, troubles: those })).counters;
      const places = await servedBy(countersOf);
      assert.ok(places.length > 2, 'a creation takes several writes');
      assert.equal(await violations(plan, places), []);
    },
  );
}

const twoProcesses: readonly (readonly Trouble[])[] = [[{ is: 'twins' }], [{ is: 'serves' }], [{ is: 'standBy' }]];

/** How the histories of the objects of a kind begin once a plan has ended. */
async function beginnings(of: Plan, kind: string): Promise<readonly string[]> {
  let environment: TestEnvironment | undefined;
  const oracle: FaultSubject['oracle'] = (seen, ...rest) => of.subject.oracle((environment = seen), ...rest);
  await run({ ...of, subject: { ...of.subject, oracle } });
  const found = environment?.cluster.everything().filter((object) => object.kind === kind) ?? [];
  return found.map((object) => `${historyOf(object)[0]?.from} ${historyOf(object)[0]?.event}`);
}

/** Every kind that a pass creates. */
const made = [
  { path: 'app / a repository is built', kind: 'CoreBuild', first: ['(none) serviceSeen'] },
  {
    path: 'deployment / a draft is deployed',
    kind: 'CoreDeployment',
    first: ['(none) recorded', '(none) rolloutRecorded'],
  },
  { path: 'databaseBackup / SQLite is protected', kind: 'CoreBackupArchive', first: ['(none) backupsTurnedOn'] },
];

for (const { path, kind, first } of made)
  spec(`BLD-146 DEP-083 BAK-113 ${path}: the history of each ${kind} begins with its creation`, async () => {
    const plan = planOf(path);
    const begun = await beginnings(plan, kind);
    assert.equal(begun.toSorted(), first);
    assert.equal(await violations(plan, twoProcesses), []);
  });

spec.run();
