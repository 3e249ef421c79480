import * as assert from 'uvu/assert';
import type { GitInstallation, GitRepository, Items } from '../../http/api.ts';
import { type CorePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { systemNamespace } from '../../crds/names.ts';
import { encode } from '../../http/auth/directory.ts';
import { applicationIn } from '../../runtime/controllers/gitHostConnection/observe.ts';
import { connections, platformConfigs, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('Git connection of a project over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world);
  await until(() => cached()?.status?.phase === 'ProjectReady', 'the project is ready');
});
spec.after.each(() => served.stop());

const cached = (name = 'shop') => served.operator.caches.get(projects, name);
const connection = () => served.world.cluster.all(connections).find(({ metadata }) => metadata.name === 'shop-git');
const secret = () => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === 'shop-git-token');
const connect = (installationID: unknown, project = 'shop') =>
  served.post(`/api/v1/projects/${project}/git/connect`, { installationID });
const disconnect = () => served.post('/api/v1/projects/shop/git/disconnect', {});
const inSystem = (name: string) => ({ name, namespace: systemNamespace });
async function putApplication() {
  served.world.cluster.put(secrets, { metadata: inSystem('git-app'), data: { app_id: encode('7') } });
  served.world.cluster.put(platformConfigs, {
    metadata: inSystem(platformConfigName),
    spec: { gitAppRef: { name: 'git-app' } },
  } as CorePlatformConfig);
  await until(() => applicationIn(served.operator.caches).appId === '7', 'the application is cached');
}
const errorOf = (text: string) => (JSON.parse(text) as { readonly error?: string }).error ?? '';

spec(
  'GIT-026 PRJ-027 PRJ-102 PRJ-103 connecting creates the Git connection with its Secret and references it in the project',
  async () => {
    assert.is((await connect(7)).status, 200);
    assert.equal(connection()?.spec, { project: 'shop', secretRef: { name: 'shop-git-token' }, installationID: 7 });
    assert.is(cached()?.spec.gitConnectionRef?.name, 'shop-git');
    assert.ok(secret());
  },
);

spec('a second connect changes the installation and keeps the Secret', async () => {
  await connect(7);
  const before = secret()?.metadata.uid;
  assert.is((await connect(8)).status, 200);
  assert.is(connection()?.spec.installationID, 8);
  assert.is(secret()?.metadata.uid, before);
});

spec('GIT-027 disconnecting removes only the reference and keeps the connection and its Secret', async () => {
  await connect(1);
  assert.is((await disconnect()).status, 200);
  assert.is(cached()?.spec.gitConnectionRef, undefined);
  assert.ok(connection());
  assert.ok(secret());
  assert.is((await disconnect()).status, 200);
});

spec('a Git connection of another project with the same name is refused', async () => {
  await connect(1);
  await disconnect();
  const made = connection();
  assert.ok(made);
  served.world.cluster.put(connections, { ...made, spec: { ...made.spec, project: 'other' } });
  await until(() => served.operator.caches.get(connections, 'shop-git')?.spec.project === 'other', 'it is cached');
  const { status, text } = await connect(1);
  assert.is(`${status} ${errorOf(text)}`, '409 "shop-git" belongs to project "other"');
  assert.is(cached()?.spec.gitConnectionRef, undefined);
});

spec('an unknown project or invalid installation is refused without a write', async () => {
  assert.is((await connect(1, 'none')).status, 404);
  for (const id of [0, 1.5, 'one', undefined]) assert.is((await connect(id)).status, 400, String(id));
  assert.is(connection(), undefined);
});

spec('an unknown installation is not connected, and none while the Git host does not answer', async () => {
  await putApplication();
  const refused = await connect(7);
  assert.is(
    `${refused.status} ${errorOf(refused.text)}`,
    "400 the platform's Git host application has no installation 7",
  );
  served.world.git.installations = { is: 'silent', why: 'no answer' };
  const silent = await connect(1);
  assert.is(`${silent.status} ${errorOf(silent.text)}`, '502 Git host does not answer: no answer');
  assert.equal([connection(), cached()?.spec.gitConnectionRef], [undefined, undefined]);
  served.world.git.installations = { is: 'found', value: [{ id: 1, account: 'local' }] };
  assert.is((await connect(1)).status, 200);
});

spec('the installations of the application are listed, and a silent Git host gives 502', async () => {
  const listed = () => served.ask('/api/v1/git/installations');
  assert.is(errorOf((await listed()).text), 'the platform has no Git host application');
  await putApplication();
  assert.equal(((await listed()).json() as Items<GitInstallation>).items, [{ id: 1, account: 'local' }]);
  served.world.git.installations = { is: 'silent', why: 'no answer' };
  const { status, text } = await listed();
  assert.is(`${status} ${errorOf(text)}`, '502 Git host does not answer: no answer');
});

spec('the repositories of a linked project are those readable by its installation', async () => {
  const path = '/api/v1/projects/shop/git/repositories';
  assert.is((await served.ask(path)).status, 409);
  await connect(1);
  await until(() => cached()?.spec.gitConnectionRef !== undefined, 'it is linked');
  // The Git host is not asked with an empty token, which it would refuse.
  const early = await served.ask(path);
  assert.match(`${early.status} ${errorOf(early.text)}`, /^409 project "shop" has no token of the Git host yet: ./);
  served.world.cluster.put(secrets, { metadata: inSystem('shop-git-token'), data: { token: encode('ours') } });
  const token = () => served.operator.caches.get(secrets, 'shop-git-token')?.data?.['token'];
  await until(() => token() === encode('ours'), 'the token is cached');
  const { items } = (await served.ask(path)).json() as Items<GitRepository>;
  assert.equal(items, [{ name: 'demo/shop', defaultBranch: 'main', private: false }]);
  served.world.git.repositories = { is: 'refused', code: 401, status: '401 Unauthorized' };
  assert.is((await served.ask(path)).status, 502);
});

spec.run();
