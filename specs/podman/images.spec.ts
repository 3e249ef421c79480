import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import * as assert from 'uvu/assert';
import { loginHeader } from '../../runtime/embedded/nodes/podman/build/registryLogins.ts';
import { textAt } from '../../runtime/embedded/api/json.ts';
import { builderRunner } from '../../runtime/embedded/nodes/podman/build/builderRun.ts';
import { collectImages, youngMs } from '../../runtime/embedded/nodes/podman/imageGarbage.ts';
import { type OwnImages, createOwnImages, listedImages } from '../../runtime/embedded/nodes/podman/ownImages.ts';
import { freePort } from '../support/freePort.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { type OwnNode, nodeOn } from './node.ts';
import { type OwnPodman, importBusybox, lacksPodman, ownPodman } from './ownPodman.ts';

const lacking = isWhole
  ? (lacksPodman() ?? (existsSync('/usr/bin/docker-registry') ? null : 'this machine has no docker-registry'))
  : 'images on podman are played by `npm run whole`';
const spec = suite('images on podman');
const real = unless(spec, lacking);
const login = { username: 'puller', password: 'let me:in' };
let own: OwnPodman;
let registry = '';
let node: OwnNode;
let base = '';
let mine: OwnImages;
let now = Date.now();

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman();
  registry = `127.0.0.1:${await freePort()}`;
  base = await importBusybox(own);
  node = await nodeOn(own);
  mine = createOwnImages({ podman: own.podman, file: join(own.folder, 'images'), now: () => now });
  await startRegistry();
});
spec.after(async () => {
  await node?.end();
  await own?.end();
});

/** A registry in podman's network that lets in who has the password. */
async function startRegistry(): Promise<void> {
  const htpasswd = join(own.folder, 'htpasswd');
  writeFileSync(htpasswd, `${login.username}:${hashSync(login.password, 4)}\n`);
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(own.folder, 'registry') } },
    http: { addr: registry },
    auth: { htpasswd: { realm: 'spec', path: htpasswd } },
  };
  writeFileSync(join(own.folder, 'registry.yml'), JSON.stringify(settings));
  own.beside('docker-registry', ['serve', join(own.folder, 'registry.yml')]);
}

const workspaceFiles = (text: string) => {
  writeFileSync(join(own.folder, 'page'), text);
  writeFileSync(join(own.folder, 'Buildfile'), `FROM ${base}\nCOPY page /page\nRUN echo ${text} > /more\n`);
};

/** Builds in the folder of podman; resolves to the digest. */
async function built(text: string, destination: string, cache = false): Promise<string> {
  workspaceFiles(text);
  const lines: string[] = [];
  const runner = builderRunner({
    podman: own.podman,
    localRegistry: 'registry.local',
    owner: 'spec',
    bring: mine.bring,
  });
  const words = [
    '--context=dir:///workspace',
    '--dockerfile=/workspace/Buildfile',
    `--destination=${destination}`,
    `--cache=${cache}`,
  ];
  writeFileSync(join(own.folder, '.containerignore'), 'storage\nrun\ntmp\nroot*\nregistry\nbusybox\nnetworks\ns\n');
  const folders = [{ path: '/workspace', from: own.folder }];
  const end = await runner({
    words,
    env: {},
    folders,
    say: (line) => void lines.push(line),
    gone: new AbortController().signal,
  });
  assert.is(end.exitCode, 0, lines.join('\n'));
  return end.message;
}

const localImage = async (text: string) => `registry.local/other@${await built(text, 'registry.local/other')}`;

const collect = (holders: readonly string[] = ['/pods', 'core.platform/corebuilds']) =>
  collectImages({ podman: own.podman, store: node.store, own: mine, holders, now: () => now });
const digestsHere = async () => (await listedImages(own.podman)).flatMap(({ digests }) => digests);
const isHere = async (digest: string) => (await digestsHere()).includes(digest);
const container = (image: string, more: object = {}) => ({
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image, command: ['sh', '-c', 'while :; do sleep 0.1; done'], ...more }],
});

real('an older image loses its tag, stays while a pod or build names its digest, and is then removed', async () => {
  const destination = 'registry.local/apps';
  const digests: string[] = [];
  for (const text of ['one', 'two', 'three']) digests.push(await built(text, destination));
  const [one = '', two = '', three = ''] = digests;
  await node.put('/core.platform/corebuilds', 'none', {});
  await node.store.create(
    { bucket: 'core.platform/corebuilds', namespace: 'shop', name: 'web' },
    { apiVersion: 'core.platform/v1alpha1', kind: 'CoreBuild', status: { image: destination, imageDigest: two } },
  );
  await node.pod('old', container(`${destination}@${one}`));
  await node.phase('old', 'Running');
  now += youngMs + 1;
  await collect();
  for (const digest of digests) assert.ok(await isHere(digest), digest);
  await node.askToEnd('old', 0);
  await until(() => node.get('old') === undefined, 'the pod is gone');
  await collect();
  assert.equal([await isHere(one), await isHere(two), await isHere(three)], [false, true, true]);
  assert.ok(
    (await listedImages(own.podman)).some(({ tags }) => tags.includes(base)),
    'nobody asked for what was imported',
  );
  await node.pod('again', container(`${destination}@${two}`));
  await node.phase('again', 'Running');
  await node.store.remove({ bucket: 'core.platform/corebuilds', namespace: 'shop', name: 'web' });
  await collect();
  assert.equal([await isHere(two), await isHere(three)], [true, false], 'the name alone keeps nothing');
  const named = createOwnImages({ podman: own.podman, file: join(own.folder, 'images'), now: () => now });
  assert.equal(
    named.all().map(({ id }) => id),
    mine.all().map(({ id }) => id),
    'it is written down',
  );
});

real('layers of a build are removed with it, and images with a user tag stay', async () => {
  const before = (await listedImages(own.podman)).length;
  await built('layers', 'registry.local/layers', true);
  assert.is(await collect(), true, 'what is young is looked at again');
  assert.is((await listedImages(own.podman)).length, before + 2);
  now += youngMs + 1;
  await own.podman.call({
    method: 'POST',
    path: `/images/${encodeURIComponent('registry.local/layers:latest')}/tag`,
    query: { repo: 'localhost/mine', tag: '1' },
  });
  await collect();
  assert.is((await listedImages(own.podman)).length, before + 2);
  await own.podman.call({ method: 'DELETE', path: `/images/${encodeURIComponent('localhost/mine:1')}` });
  await collect();
  assert.is((await listedImages(own.podman)).length, before);
});

const pushed = () => `${registry}/team/web:1`;

/** Gives the registry an image, under a name that nothing here has. */
async function push(image: string): Promise<void> {
  const found = await own.podman.call({ method: 'GET', path: `/images/${encodeURIComponent(image)}/json` });
  const answer = await own.podman.stream({
    method: 'POST',
    docker: true,
    path: `/images/${textAt(found, 'Id')}/push`,
    query: { destination: pushed(), tlsVerify: 'false' },
    headers: loginHeader(login),
  });
  for await (const line of answer) assert.not.match(String(line), '"error"');
}

real('images of a private registry are pulled with the right pull Secret, as imagePullPolicy says', async () => {
  await push(base);
  const waits = (pod: string, field: string) => textAt(node.statusOf(pod)?.state, 'waiting', field);
  const asks = (secret: string) => ({ imagePullSecrets: [{ name: secret }] });
  await node.pod('open', container(pushed()));
  await until(() => waits('open', 'reason') === 'ErrImagePull', 'nobody is let in without a password');
  assert.match(waits('open', 'message'), /authentication required|unauthorized/);
  await node.pod('never', { ...container(pushed(), { imagePullPolicy: 'Never' }), ...asks('right') });
  await until(() => waits('never', 'reason') === 'ErrImageNeverPull', 'it is never pulled');
  await putSecret('right', login);
  await node.pod('right', { ...container(pushed()), ...asks('right') });
  await node.phase('right', 'Running');
  const first = node.statusOf('right')?.imageID;
  assert.match(first ?? '', `${registry}/team/web@sha256:`);
  await push(await localImage('another'));
  await node.pod('here', { ...container(pushed()), ...asks('right') });
  await node.pod('always', { ...container(pushed(), { imagePullPolicy: 'Always' }), ...asks('right') });
  for (const pod of ['here', 'always']) await node.phase(pod, 'Running');
  assert.is(node.statusOf('here')?.imageID, first, 'it was here');
  assert.is.not(node.statusOf('always')?.imageID, first, 'it was asked for anew');
});

async function putSecret(name: string, { username, password }: typeof login): Promise<void> {
  const auths = { [`http://${registry}`]: { auth: Buffer.from(`${username}:${password}`).toString('base64') } };
  const data = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') };
  await node.put('/secrets', name, { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/dockerconfigjson', data });
}

spec.run();
