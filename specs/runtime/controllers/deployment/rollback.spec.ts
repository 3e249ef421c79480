import * as assert from 'uvu/assert';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import { rollbackOf } from '../../../../rules/deploymentRecord/rollbackPatch.ts';
import { deployments } from '../../../../runtime/services/cluster/kinds.ts';
import { activeIn, appIn, recordsIn } from '../../../support/deployed.ts';
import { suite } from '../../../support/suite.ts';
import { type ServiceSession, serviceSession } from './session.ts';

const spec = suite('rollbacks to an earlier deploy');

async function withSession(given: Partial<AppSpec>, test: (session: ServiceSession) => Promise<void>) {
  const session = await serviceSession(given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

const foundIn = ({ environment }: ServiceSession, revision: string) =>
  environment.cluster.all(deployments).find(({ metadata }) => metadata.name === revision);
const rolled = (session: ServiceSession, revision: string) =>
  rollbackOf(session.app(), revision, foundIn(session, revision));

/** Goes back to a record as the API does. */
async function rollBack(session: ServiceSession, revision: string, name: string) {
  const rollback = rolled(session, revision);
  if (rollback.is === 'refused') throw new Error(rollback.text);
  await session.deploy(name, rollback.spec);
  return rollback.note;
}

const notOfService = { is: 'refused', status: 400, text: 'deployment revision does not belong to app' };

spec('DEP-011 DEP-067 DEP-068 DEP-069 DEP-073 a rollback of an image service restores image and replicas', () =>
  withSession(
    { source: { image: 'nginx:1.27', imagePullSecretRef: { name: 'pull' } }, replicas: 1 },
    async (session) => {
      await session.deploy('web-aaaaa');
      await session.deploy('web-bbbbb', { source: { image: 'nginx:1.28' }, replicas: 3 });
      assert.is(await rollBack(session, 'web-aaaaa', 'web-ccccc'), 'image and replicas of web-aaaaa deployed');
      const { source, replicas } = session.app().spec;
      assert.equal([source, replicas], [{ image: 'nginx:1.27' }, 1]);
      assert.equal(
        recordsIn(session.environment).map(({ metadata, spec: said }) => [metadata.name, said.image, said.replicas]),
        [
          ['web-aaaaa', 'nginx:1.27', 1],
          ['web-bbbbb', 'nginx:1.28', 3],
          ['web-ccccc', 'nginx:1.27', 1],
        ],
      );
    },
  ),
);

spec('DEP-048 DEP-049 DEP-058 the log, rollback and conditions fields of a record are never set', () =>
  withSession({ replicas: 1 }, async (session) => {
    await session.deploy('web-aaaaa');
    await session.deploy('web-bbbbb', { source: { image: 'nginx:1.28' } });
    await rollBack(session, 'web-aaaaa', 'web-ccccc');
    await session.pass(600);
    const all = session.environment.cluster.all(deployments);
    assert.equal(all.map(({ metadata }) => metadata.name).toSorted(), [
      'web-aaaaa',
      'web-active',
      'web-bbbbb',
      'web-ccccc',
    ]);
    for (const { spec: said, status } of all)
      assert.equal([said.eventLogRef, said.rollbackRef, status?.conditions], [undefined, undefined, undefined]);
  }),
);

spec('DEP-070 DEP-071 DEP-073 a rollback of a repository service restores replicas and keeps commit and branch', () =>
  withSession(
    { source: { git: { repository: 'acme/web', branch: 'main', waitForCI: false } }, replicas: 1 },
    async (session) => {
      await session.deploy('web-aaaaa');
      await session.deploy('web-bbbbb', { source: { git: { branch: 'next' } }, replicas: 3 });
      const note = await rollBack(session, 'web-aaaaa', 'web-ccccc');
      assert.is(note, 'replicas of web-aaaaa deployed; commit and branch stay');
      const { source, replicas } = session.app().spec;
      assert.equal([source.git?.branch, replicas], ['next', 1]);
      assert.equal(session.records(), ['web-aaaaa', 'web-bbbbb', 'web-ccccc']);
    },
  ),
);

spec('DEP-072 DEP-075 a function is not rolled back', () =>
  withSession({ source: { function: { runtime: 'bun', code: 'export default 1' } } }, async (session) => {
    await session.deploy('web-aaaaa');
    const text = 'functions cannot be rolled back; restore the earlier code and deploy again';
    assert.equal(rolled(session, 'web-aaaaa'), { is: 'refused', status: 409, text });
  }),
);

spec('DEP-076 DEP-077 a rollback to an unknown record or to one of another service is refused (decision 53)', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    assert.ok(activeIn(session.environment));
    for (const revision of ['', 'web-zzzzz', 'web-active']) assert.equal(rolled(session, revision), notOfService);
    const other = foundIn(session, 'web-aaaaa');
    const app = appIn(session.environment);
    assert.ok(app && other);
    const labels = { ...other.metadata.labels, 'core.platform/app': 'two' };
    const ofTwo = { ...other, metadata: { ...other.metadata, labels } };
    assert.equal(rollbackOf(app, 'web-aaaaa', ofTwo), notOfService);
  }),
);

spec('DEP-069 a rollback to a record without replicas keeps those of the service (decision 53)', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    const record = foundIn(session, 'web-aaaaa');
    assert.ok(record);
    const { replicas: _, ...said } = record.spec;
    const rollback = rollbackOf(session.app(), 'web-aaaaa', { ...record, spec: said });
    assert.ok(rollback.is === 'set');
    assert.equal(rollback.spec, { source: { image: 'nginx:1.27', imagePullSecretRef: null } });
  }),
);

spec.run();
