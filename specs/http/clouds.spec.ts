import * as assert from 'uvu/assert';
import type { Items, Read, Summary } from '../../http/api.ts';
import { systemNamespace } from '../../crds/names.ts';
import { cloudConnections, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { rootKey } from '../support/memory/cloud.ts';
import { putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('cloud connections and backup storage, over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world);
  await until(() => project()?.status?.phase === 'ProjectReady', 'the project is ready');
});
spec.after.each(() => served.stop());

const path = '/api/v1/projects/shop/cloud-connections';
const keys = { accessKeyId: rootKey.accessKeyId, secretAccessKey: rootKey.secret };
const asked = { name: 'aws', provider: 'Cloud', region: 'eu-central-1', ...keys };
const project = () => served.operator.caches.get(projects, 'shop');
const connection = (name = 'aws') =>
  served.world.cluster.all(cloudConnections).find((one) => one.metadata.name === name);
const secret = (name = 'aws-cloud-keys') =>
  served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === name);
const send = (method: string, at: string, body?: object) =>
  served.ask(at, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const said = ({ status, text }: { readonly status: number; readonly text: string }) =>
  `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
const isReady = (name = 'aws') =>
  served.operator.caches.get(cloudConnections, name)?.status?.conditions?.[0]?.status === 'True';
const connect = async () => {
  assert.is((await send('POST', path, asked)).status, 201);
  await until(() => isReady(), 'the connection is ready');
};

spec('SEC-027 UI-005 a cloud connection is created for one project with its keys only in a Secret', async () => {
  const made = await send('POST', path, asked);
  assert.is(made.status, 201);
  assert.not(made.text.includes(rootKey.secret), made.text);
  assert.not(made.text.includes(rootKey.accessKeyId), made.text);
  assert.equal(connection()?.spec, {
    project: 'shop',
    provider: 'Cloud',
    region: 'eu-central-1',
    secretRef: { name: 'aws-cloud-keys' },
  });
  assert.is(secret()?.metadata.namespace, systemNamespace);
  assert.is(secretText(secret(), 'ACCESS_SECRET_KEY'), rootKey.secret);
  await until(() => isReady(), 'it is checked');
  const listed = await served.ask(path);
  const { items } = listed.json() as Items<Summary>;
  assert.equal(
    items.map(({ name, state, message }) => [name, state, message]),
    [['aws', 'ready', 'the connection works']],
  );
  assert.not(listed.text.includes(rootKey.secret));
  assert.equal((await send('GET', '/api/projects/shop/cloud-connections')).json(), listed.json());
  assert.is(said(await send('GET', '/api/v1/projects/none/cloud-connections')), '404 project "none" was not found');
});

spec('an invalid cloud connection is refused before a write', async () => {
  for (const [body, sentence] of [
    [{ ...asked, secretAccessKey: '' }, '400 secretAccessKey is required for the provider Cloud'],
    [{ name: 'db', provider: 'ManagedDb', token: 't' }, '400 organization is required for the provider ManagedDb'],
    [{ ...asked, name: 'Up' }, /^400 name must be /],
    [{ ...asked, provider: 'Other' }, /^400 provider must be Cloud or ManagedDb/],
    [{ ...asked, endpoint: 'ftp://x' }, /^400 endpoint must be /],
  ] as const)
    if (typeof sentence === 'string') assert.is(said(await send('POST', path, body)), sentence);
    else assert.match(said(await send('POST', path, body)), sentence);
  assert.is(
    said(await send('POST', '/api/v1/projects/none/cloud-connections', asked)),
    '404 project "none" was not found',
  );
  assert.is(connection(), undefined);
  assert.is(secret(), undefined);
  await connect();
  assert.is(said(await send('POST', path, asked)), '409 cloud connection "aws" already exists');
});

spec('a Secret that Core did not create is not overwritten by the keys of a connection', async () => {
  served.world.cluster.put(secrets, {
    metadata: { name: 'aws-cloud-keys', namespace: systemNamespace },
    data: { a: 'Yg==' },
  });
  const sentence = '409 Secret "aws-cloud-keys" was not made by Core: change it by hand';
  assert.is(said(await send('POST', path, asked)), sentence);
  assert.equal(secret()?.data, { a: 'Yg==' });
  assert.is(connection(), undefined);
});

spec('a cloud connection is changed field by field and is not accessible to another project', async () => {
  await connect();
  const at = `${path}/aws`;
  assert.is((await send('PATCH', at, { region: 'us-west-2' })).status, 200);
  assert.is(connection()?.spec.region, 'us-west-2');
  assert.is(secretText(secret(), 'ACCESS_SECRET_KEY'), rootKey.secret);
  assert.is((await send('PATCH', at, { secretAccessKey: 'another' })).status, 200);
  assert.is(secretText(secret(), 'ACCESS_KEY_ID'), rootKey.accessKeyId);
  await until(() => !isReady(), 'the wrong key is detected');
  const [item] = ((await served.ask(path)).json() as Items<Summary>).items;
  assert.match(item?.message ?? '', /^the provider refused: SignatureDoesNotMatch/);
  assert.is(
    said(await send('PATCH', '/api/v1/projects/shop/cloud-connections/none', {})),
    '404 cloud connection "none" was not found',
  );
  served.world.cluster.put(projects, {
    ...project(),
    metadata: { name: 'other', namespace: systemNamespace },
  } as never);
  await until(() => served.operator.caches.get(projects, 'other'), 'the other project is cached');
  const others = '/api/v1/projects/other/cloud-connections/aws';
  assert.is(said(await send('PATCH', others, {})), '404 cloud connection "aws" was not found');
  assert.is(said(await send('DELETE', others)), '404 cloud connection "aws" was not found');
});

spec('a cloud connection is deleted with its keys, and refused while in use', async () => {
  await connect();
  await send('POST', '/api/v1/projects/shop/backup-storage/save', { connection: 'aws', bucket: 'core-one' });
  const spec = { project: 'shop', environment: 'production', engine: 'Postgres', connectionRef: { name: 'aws' } };
  served.world.cluster.put(databases, { metadata: { name: 'db', namespace: systemNamespace }, spec } as never);
  await until(() => served.operator.caches.get(databases, 'db'), 'the database is cached');
  const used = '409 cloud connection "aws" is used by the backup storage of project "shop", database "db"';
  assert.is(said(await send('DELETE', `${path}/aws`)), used);
  assert.ok(connection());
  served.world.cluster.drop(databases, 'db');
  await send('POST', '/api/v1/projects/shop/backup-storage/clear', {});
  await until(() => served.operator.caches.get(databases, 'db') === undefined, 'the database is deleted');
  const gone = await send('DELETE', `${path}/aws`);
  assert.equal([gone.status, gone.json()], [200, { name: 'aws', kind: 'CoreCloudConnection', deleted: true }]);
  assert.is(connection(), undefined);
  assert.is(secret(), undefined);
});

spec('UI-005 BAK-002 PRJ-031 PRJ-078 backup storage is saved with a given bucket or a generated one', async () => {
  const save = (body: object) => send('POST', '/api/v1/projects/shop/backup-storage/save', body);
  assert.is(said(await save({ connection: 'aws' })), '400 cloud connection "aws" was not found');
  await connect();
  const saved = await save({ connection: 'aws' });
  assert.is(saved.status, 200);
  const drawn = project()?.spec.backupStorage;
  assert.match(drawn?.bucket ?? '', /^core-backup-[0-9a-f]{8}$/);
  assert.equal((saved.json() as Read).spec['backupStorage'], drawn);
  assert.is((await save({ connection: 'aws' })).status, 200);
  assert.is(project()?.spec.backupStorage?.bucket, drawn?.bucket, 'who names no bucket keeps it');
  await until(() => served.world.cloud.model.state.buckets.has(drawn?.bucket ?? ''), 'the bucket is made');
  await save({ connection: 'aws', bucket: 'core-chosen', region: 'us-west-2' });
  assert.equal(project()?.spec.backupStorage, {
    connectionRef: { name: 'aws' },
    bucket: 'core-chosen',
    region: 'us-west-2',
  });
  for (const bucket of ['ab', 'Upper', 'a'.repeat(64), '-a-', 'a_b'])
    assert.match(said(await save({ connection: 'aws', bucket })), /^400 bucket must be/);
  const cleared = await send('POST', '/api/v1/projects/shop/backup-storage/clear', {});
  assert.is((cleared.json() as Read).spec['backupStorage'], undefined);
  assert.is(project()?.spec.backupStorage, undefined);
  assert.ok(served.world.cloud.model.state.buckets.has('core-chosen'), 'the bucket stays');
});

spec('SEC-027 backup storage with a connection of another project is refused', async () => {
  await connect();
  const found = connection();
  assert.ok(found);
  served.world.cluster.put(cloudConnections, { ...found, spec: { ...found.spec, project: 'other' } });
  await until(() => served.operator.caches.get(cloudConnections, 'aws')?.spec.project === 'other', 'it is cached');
  const answer = await send('POST', '/api/v1/projects/shop/backup-storage/save', { connection: 'aws' });
  assert.is(said(answer), '400 cloud connection "aws" is scoped to project "other"');
});

spec('AUT-034 AUT-064 a viewer reads neither cloud connections nor backup storage', async () => {
  await connect();
  await send('POST', '/api/v1/projects/shop/backup-storage/save', { connection: 'aws', bucket: 'core-hidden' });
  await until(() => served.world.cloud.model.state.buckets.has('core-hidden'), 'the bucket is made');
  const { token } = await served.makeToken({ name: 'v', role: 'viewer' });
  const asViewer = (at: string) => served.ask(at, { headers: { authorization: `Bearer ${token}`, cookie: '' } });
  assert.is((await asViewer(path)).status, 403);
  for (const at of ['/api/v1/projects/shop', '/api/v1/projects', '/api/v1/bootstrap']) {
    const { status, text } = await asViewer(at);
    assert.is(status, 200, at);
    for (const word of ['core-hidden', 'backupStorage":{"connectionRef', 'aws-cloud-keys', '"aws"'])
      assert.not(text.includes(word), `${at} shows ${word}`);
  }
});

spec.run();
