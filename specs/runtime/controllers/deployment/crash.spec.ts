import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { apps, deployments } from '../../../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { appIn, recordsIn } from '../../../support/deployed.ts';
import { dead, dyingAfter } from '../../../support/dying.ts';
import { suite } from '../../../support/suite.ts';
import { type ServiceSession, serviceSession } from './session.ts';

const spec = suite('records of deploys after crashes');

const listed = ({ environment }: ServiceSession): readonly { readonly name: string }[] =>
  JSON.parse(appIn(environment)?.metadata.annotations?.[annotation.deploys] ?? '[]');

const refusing =
  (what: string) =>
  (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    create: (resource, object) => (resource.kind === what ? Effect.fail(dead) : cluster.create(resource, object)),
  });

spec('DEP-008 DEP-083 a process that dies between any two writes neither loses nor duplicates a record', async () => {
  let acknowledged = 0;
  for (let writes = 0, died = true; died; writes++) {
    assert.ok(writes < 60);
    const session = await serviceSession();
    await session.deploy('web-aaaaa');
    const dying = dyingAfter(writes);
    await session.crash(dying.over);
    const first = await session.deploy('web-bbbbb');
    const second = await session.deploy('web-ccccc');
    await session.crash();
    const told = [true, first, second].map((done, at) => (done ? `web-${'abc'[at]?.repeat(5)}` : ''));
    const records = session.records();
    for (const name of told.filter((one) => one !== '')) assert.ok(records.includes(name), `${writes}: ${name}`);
    const created = session.environment.cluster.created.filter(({ plural }) => plural === 'coredeployments');
    const names = created.map(({ object }) => object.metadata.name);
    assert.is(new Set(names).size, names.length, `${writes}: ${names.join()}`);
    for (const { metadata, status } of recordsIn(session.environment))
      assert.equal(
        [status?.phase, status?.startedAt, status?.completedAt],
        ['Recorded', ...Array.from({ length: 2 }, () => metadata.annotations?.[annotation.deployedAt])],
      );
    if (first && second) acknowledged++;
    died = dying.isDead();
    await session.end();
  }
  assert.ok(acknowledged > 3, String(acknowledged));
});

spec('DEP-083 two simultaneous deploys have two records with different times', async () => {
  const session = await serviceSession();
  const done = await session.ask({ is: 'deploy', revision: 'web-aaaaa' }, { is: 'deploy', revision: 'web-bbbbb' });
  await session.pass(2);
  assert.equal(done, [true, true]);
  assert.equal(session.records(), ['web-aaaaa', 'web-bbbbb']);
  const moments = recordsIn(session.environment).map(({ status }) => status?.startedAt);
  assert.is(new Set(moments).size, 2);
  await session.end();
});

spec('deploys that cannot be recorded are kept in order and recorded later, oldest first', async () => {
  const session = await serviceSession();
  await session.crash(refusing('CoreDeployment'));
  for (const name of ['web-ccccc', 'web-aaaaa', 'web-bbbbb']) await session.deploy(name);
  assert.equal(session.records(), []);
  assert.equal(
    listed(session).map(({ name }) => name),
    ['web-ccccc', 'web-aaaaa', 'web-bbbbb'],
  );
  await session.crash();
  const created = session.environment.cluster.created.filter(({ plural }) => plural === 'coredeployments');
  assert.equal(
    created.map(({ object }) => object.metadata.name).filter((name) => name !== 'web-active'),
    ['web-ccccc', 'web-aaaaa', 'web-bbbbb'],
  );
  assert.is(session.app().status?.recordedDeploy, 'web-bbbbb');
  await session.deploy('web-ddddd');
  assert.equal(
    listed(session).map(({ name }) => name),
    ['web-ddddd'],
  );
  await session.end();
});

spec('a service lists the newest 12 deploys that wait for their record', async () => {
  const session = await serviceSession();
  await session.crash(refusing('CoreDeployment'));
  for (let index = 0; index < 14; index++) await session.deploy(`web-new${String.fromCodePoint(97 + index)}x`);
  assert.equal([listed(session).length, listed(session)[0]?.name], [12, 'web-newcx']);
  await session.end();
});

spec('a deleted record is not recreated, and an edit of the list creates none', async () => {
  const session = await serviceSession();
  await session.deploy('web-aaaaa');
  await session.edit(({ cluster }) => {
    for (const { metadata } of recordsIn(session.environment))
      Effect.runSync(cluster.remove(deployments, { name: metadata.name }));
  });
  assert.equal(session.records(), []);
  const [one] = listed(session);
  const strange = [{ ...one, name: 'web-active' }, { ...one, name: 'other-aaaaa' }, { ...one, at: 5 }, null, 'x', {}];
  for (const text of [JSON.stringify(strange), '{', 'null'])
    await session.edit(({ cluster }) => {
      Effect.runSync(
        cluster.patch(apps, { name: 'web' }, { metadata: { annotations: { [annotation.deploys]: text } } }),
      );
    });
  assert.equal(session.records(), []);
  await session.deploy('web-bbbbb');
  assert.equal(session.records(), ['web-bbbbb']);
  await session.end();
});

spec('DEP-085 a terminating service gets no record, even over a stale cache', async () => {
  const session = await serviceSession();
  let refuses = true;
  await session.crash((cluster) => ({
    ...cluster,
    create: (resource, object) =>
      refuses && resource.kind === 'CoreDeployment' ? Effect.fail(dead) : cluster.create(resource, object),
  }));
  await session.deploy('web-aaaaa');
  session.environment.cluster.lag(apps, true);
  Effect.runSync(session.environment.cluster.remove(apps, { name: 'web' }));
  refuses = false;
  await session.pass(30);
  session.environment.cluster.lag(apps, false);
  await session.pass(60);
  assert.is(appIn(session.environment), undefined);
  const created = session.environment.cluster.created.map(({ object }) => object.metadata.name);
  assert.not.ok(created.includes('web-aaaaa'));
  await session.end();
});

spec.run();
