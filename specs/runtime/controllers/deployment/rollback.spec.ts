import * as assert from 'uvu/assert';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import { rollbackOf } from '../../../../rules/deploymentRecord/rollbackPatch.ts';
import { deployments } from '../../../../runtime/services/cluster/kinds.ts';
import { activeIn, appIn, recordsIn } from '../../../support/deployed.ts';
import { suite } from '../../../support/suite.ts';
import { type LiveService, liveService } from './live.ts';

const spec = suite('going back to an earlier deploy');

async function living(given: Partial<AppSpec>, test: (live: LiveService) => Promise<void>) {
  const live = await liveService(given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

const foundIn = ({ world }: LiveService, revision: string) =>
  world.cluster.all(deployments).find(({ metadata }) => metadata.name === revision);
const rolled = (live: LiveService, revision: string) => rollbackOf(live.app(), revision, foundIn(live, revision));

/** Goes back to a record as the API does. */
async function rollBack(live: LiveService, revision: string, name: string) {
  const rollback = rolled(live, revision);
  if (rollback.is === 'refused') throw new Error(rollback.text);
  await live.deploy(name, rollback.spec);
  return rollback.note;
}

const foreign = { is: 'refused', status: 400, text: 'deployment revision does not belong to app' };

spec('DEP-011 DEP-067 DEP-068 DEP-069 DEP-073 a service with an image gets the image and the replicas back', () =>
  living({ source: { image: 'nginx:1.27', imagePullSecretRef: { name: 'pull' } }, replicas: 1 }, async (live) => {
    await live.deploy('web-aaaaa');
    await live.deploy('web-bbbbb', { source: { image: 'nginx:1.28' }, replicas: 3 });
    assert.is(await rollBack(live, 'web-aaaaa', 'web-ccccc'), 'image and replicas of web-aaaaa deployed');
    const { source, replicas } = live.app().spec;
    assert.equal([source, replicas], [{ image: 'nginx:1.27' }, 1]);
    assert.equal(
      recordsIn(live.world).map(({ metadata, spec: said }) => [metadata.name, said.image, said.replicas]),
      [
        ['web-aaaaa', 'nginx:1.27', 1],
        ['web-bbbbb', 'nginx:1.28', 3],
        ['web-ccccc', 'nginx:1.27', 1],
      ],
    );
  }),
);

spec('DEP-048 DEP-049 DEP-058 nothing sets the log or the rollback of a record, nor conditions', () =>
  living({ replicas: 1 }, async (live) => {
    await live.deploy('web-aaaaa');
    await live.deploy('web-bbbbb', { source: { image: 'nginx:1.28' } });
    await rollBack(live, 'web-aaaaa', 'web-ccccc');
    await live.pass(600);
    const all = live.world.cluster.all(deployments);
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

spec('DEP-070 DEP-071 DEP-073 a repository gets its replicas back, and goes on running its code', () =>
  living(
    { source: { git: { repository: 'acme/web', branch: 'main', waitForCI: false } }, replicas: 1 },
    async (live) => {
      await live.deploy('web-aaaaa');
      await live.deploy('web-bbbbb', { source: { git: { branch: 'next' } }, replicas: 3 });
      const note = await rollBack(live, 'web-aaaaa', 'web-ccccc');
      assert.is(note, 'replicas of web-aaaaa deployed; commit and branch stay');
      const { source, replicas } = live.app().spec;
      assert.equal([source.git?.branch, replicas], ['next', 1]);
      assert.equal(live.records(), ['web-aaaaa', 'web-bbbbb', 'web-ccccc']);
    },
  ),
);

spec('DEP-072 DEP-075 a function is not rolled back', () =>
  living({ source: { function: { runtime: 'bun', code: 'export default 1' } } }, async (live) => {
    await live.deploy('web-aaaaa');
    const text = 'functions cannot be rolled back; restore the earlier code and deploy again';
    assert.equal(rolled(live, 'web-aaaaa'), { is: 'refused', status: 409, text });
  }),
);

spec('DEP-076 DEP-077 what is no record of the service is refused (decision 53)', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    assert.ok(activeIn(live.world));
    for (const revision of ['', 'web-zzzzz', 'web-active']) assert.equal(rolled(live, revision), foreign);
    const other = foundIn(live, 'web-aaaaa');
    const app = appIn(live.world);
    assert.ok(app && other);
    const labels = { ...other.metadata.labels, 'core.platform/app': 'two' };
    const ofTwo = { ...other, metadata: { ...other.metadata, labels } };
    assert.equal(rollbackOf(app, 'web-aaaaa', ofTwo), foreign);
  }),
);

spec('DEP-069 a record without replicas leaves those of the service (decision 53)', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    const record = foundIn(live, 'web-aaaaa');
    assert.ok(record);
    const { replicas: _, ...said } = record.spec;
    const rollback = rollbackOf(live.app(), 'web-aaaaa', { ...record, spec: said });
    assert.ok(rollback.is === 'set');
    assert.equal(rollback.spec, { source: { image: 'nginx:1.27', imagePullSecretRef: null } });
  }),
);

spec.run();
