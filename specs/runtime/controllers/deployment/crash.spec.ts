import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { apps, deployments } from '../../../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { appIn, recordsIn } from '../../../support/deployed.ts';
import { dead, dyingAfter } from '../../../support/dying.ts';
import { suite } from '../../../support/suite.ts';
import { type LiveService, liveService } from './live.ts';

const spec = suite('deploys are recorded once, whatever happens');

const listed = ({ world }: LiveService): readonly { readonly name: string }[] =>
  JSON.parse(appIn(world)?.metadata.annotations?.[annotation.deploys] ?? '[]');

const refusing =
  (what: string) =>
  (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    create: (resource, object) => (resource.kind === what ? Effect.fail(dead) : cluster.create(resource, object)),
  });

spec('DEP-008 DEP-083 a process that dies between any two writes neither loses a record nor doubles one', async () => {
  let acknowledged = 0;
  for (let writes = 0, died = true; died; writes++) {
    assert.ok(writes < 60);
    const live = await liveService();
    await live.deploy('web-aaaaa');
    const dying = dyingAfter(writes);
    await live.crash(dying.over);
    const first = await live.deploy('web-bbbbb');
    const second = await live.deploy('web-ccccc');
    await live.crash();
    const told = [true, first, second].map((done, at) => (done ? `web-${'abc'[at]?.repeat(5)}` : ''));
    const records = live.records();
    for (const name of told.filter((one) => one !== '')) assert.ok(records.includes(name), `${writes}: ${name}`);
    const created = live.world.cluster.created.filter(({ plural }) => plural === 'coredeployments');
    const names = created.map(({ object }) => object.metadata.name);
    assert.is(new Set(names).size, names.length, `${writes}: ${names.join()}`);
    for (const { metadata, status } of recordsIn(live.world))
      assert.equal(
        [status?.phase, status?.startedAt, status?.completedAt],
        ['Recorded', ...Array.from({ length: 2 }, () => metadata.annotations?.[annotation.deployedAt])],
      );
    if (first && second) acknowledged++;
    died = dying.isDead();
    await live.end();
  }
  assert.ok(acknowledged > 3, String(acknowledged));
});

spec('DEP-083 two deploys at once have two records, each with its moment', async () => {
  const live = await liveService();
  const done = await live.ask({ is: 'deploy', revision: 'web-aaaaa' }, { is: 'deploy', revision: 'web-bbbbb' });
  await live.pass(2);
  assert.equal(done, [true, true]);
  assert.equal(live.records(), ['web-aaaaa', 'web-bbbbb']);
  const moments = recordsIn(live.world).map(({ status }) => status?.startedAt);
  assert.is(new Set(moments).size, 2);
  await live.end();
});

spec('deploys that cannot be recorded yet are kept in order, and recorded later, the oldest first', async () => {
  const live = await liveService();
  await live.crash(refusing('CoreDeployment'));
  for (const name of ['web-ccccc', 'web-aaaaa', 'web-bbbbb']) await live.deploy(name);
  assert.equal(live.records(), []);
  assert.equal(
    listed(live).map(({ name }) => name),
    ['web-ccccc', 'web-aaaaa', 'web-bbbbb'],
  );
  await live.crash();
  const created = live.world.cluster.created.filter(({ plural }) => plural === 'coredeployments');
  assert.equal(
    created.map(({ object }) => object.metadata.name).filter((name) => name !== 'web-active'),
    ['web-ccccc', 'web-aaaaa', 'web-bbbbb'],
  );
  assert.is(live.app().status?.recordedDeploy, 'web-bbbbb');
  await live.deploy('web-ddddd');
  assert.equal(
    listed(live).map(({ name }) => name),
    ['web-ddddd'],
  );
  await live.end();
});

spec('of the deploys that wait for their record a service lists the newest 12', async () => {
  const live = await liveService();
  await live.crash(refusing('CoreDeployment'));
  for (let index = 0; index < 14; index++) await live.deploy(`web-new${String.fromCodePoint(97 + index)}x`);
  assert.equal([listed(live).length, listed(live)[0]?.name], [12, 'web-newcx']);
  await live.end();
});

spec('a record that somebody deletes is not made again, and what a hand wrote into the list makes none', async () => {
  const live = await liveService();
  await live.deploy('web-aaaaa');
  await live.edit(({ cluster }) => {
    for (const { metadata } of recordsIn(live.world))
      Effect.runSync(cluster.remove(deployments, { name: metadata.name }));
  });
  assert.equal(live.records(), []);
  const [one] = listed(live);
  const strange = [{ ...one, name: 'web-active' }, { ...one, name: 'other-aaaaa' }, { ...one, at: 5 }, null, 'x', {}];
  for (const text of [JSON.stringify(strange), '{', 'null'])
    await live.edit(({ cluster }) => {
      Effect.runSync(
        cluster.patch(apps, { name: 'web' }, { metadata: { annotations: { [annotation.deploys]: text } } }),
      );
    });
  assert.equal(live.records(), []);
  await live.deploy('web-bbbbb');
  assert.equal(live.records(), ['web-bbbbb']);
  await live.end();
});

spec('DEP-085 a service that is going gets no record any more, even over an old view of it', async () => {
  const live = await liveService();
  let refuses = true;
  await live.crash((cluster) => ({
    ...cluster,
    create: (resource, object) =>
      refuses && resource.kind === 'CoreDeployment' ? Effect.fail(dead) : cluster.create(resource, object),
  }));
  await live.deploy('web-aaaaa');
  live.world.cluster.lag(apps, true);
  Effect.runSync(live.world.cluster.remove(apps, { name: 'web' }));
  refuses = false;
  await live.pass(30);
  live.world.cluster.lag(apps, false);
  await live.pass(60);
  assert.is(appIn(live.world), undefined);
  const created = live.world.cluster.created.map(({ object }) => object.metadata.name);
  assert.not.ok(created.includes('web-aaaaa'));
  await live.end();
});

spec.run();
