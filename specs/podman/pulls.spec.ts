import { PassThrough, Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import { faultOfName } from '../../runtime/embedded/nodes/podman/imageName.ts';
import { createImages } from '../../runtime/embedded/nodes/podman/images.ts';
import { type Asked, type Libpod, PodmanError } from '../../runtime/embedded/nodes/podman/libpod.ts';
import type { Pod } from '../../runtime/embedded/nodes/shapes.ts';
import { memoryStore } from '../runtime/embedded/nodes/memoryStore.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('image pulls');
const image = 'registry.example.com/team/web:1';

/** A podman with one private image, which it gives to those who show a login. */
function privateImage() {
  const asked: Asked[] = [];
  let isHere = false;
  const podman: Libpod = {
    socket: '',
    call: async () => {
      if (isHere) return { Id: 'i', Size: 1 };
      throw new PodmanError('absent', 'no such image');
    },
    stream: async (one) => {
      asked.push(one);
      isHere = one.headers?.['x-registry-auth'] !== undefined;
      const line = isHere ? { id: 'i' } : { error: 'authentication required' };
      return Readable.from([Buffer.from(JSON.stringify(line))]) as unknown as IncomingMessage;
    },
    hijack: () => Promise.reject(new Error('nothing is hijacked')),
    close: () => {},
  };
  return { podman, asked };
}

const podOf = (name: string, ...secrets: readonly string[]): Pod => {
  const imagePullSecrets = secrets.map((secret) => ({ name: secret }));
  const spec = { containers: [{ name: 'main', image }], imagePullSecrets };
  const createdAt = '2030-01-01T00:00:00Z';
  const metadata = { name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: createdAt };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
};
const container = { name: 'main', image };

spec('a pull without a login does not delay one with a login, and a new password is tried at once', async () => {
  const { podman, asked } = privateImage();
  const store = memoryStore(Date.now);
  const settled: string[] = [];
  const images = createImages({
    podman,
    store,
    now: () => 0,
    bring: (_, make) => make(),
    settled: (key) => void settled.push(key),
  });
  const see = async (name: string, ...secrets: readonly string[]) => {
    const first = await images.see(name, podOf(name, ...secrets), container);
    if (first.is !== 'coming') return first;
    settled.length = 0;
    await until(() => settled.includes(name), 'the pull came to an end');
    return images.see(name, podOf(name, ...secrets), container);
  };
  const refused = await see('open');
  assert.equal(refused.is === 'refused' && [refused.reason, refused.message], [
    'ErrImagePull',
    'authentication required',
  ]);
  assert.is((await see('open')).is, 'refused', 'it waits for the next try');
  assert.is(asked.length, 1);
  const auths = { 'registry.example.com': { auth: Buffer.from('puller:let me in').toString('base64') } };
  const data = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') };
  await store.create(
    { bucket: '/secrets', namespace: 'shop', name: 'right' },
    { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/dockerconfigjson', data },
  );
  assert.is((await see('right', 'right')).is, 'here');
  assert.is(asked.length, 2);
});

spec('a silent registry is abandoned and reported by name', async () => {
  const { podman } = privateImage();
  const settled: string[] = [];
  const silent: Libpod = {
    ...podman,
    stream: async ({ gone }) => {
      const lines = new PassThrough();
      lines.write(`${JSON.stringify({ stream: 'Trying to pull…' })}\n`);
      gone?.addEventListener('abort', () => lines.destroy(new Error('aborted')));
      return lines as unknown as IncomingMessage;
    },
  };
  const images = createImages({
    podman: silent,
    store: memoryStore(Date.now),
    now: () => 0,
    bring: (_, make) => make(),
    settled: (key) => void settled.push(key),
    answerWithinMs: 20,
  });
  await images.see('web', podOf('web'), container);
  // Nothing else of this process waits.
  const awake = setTimeout(() => {}, 10_000);
  await until(() => settled.length > 0, 'it is given up');
  clearTimeout(awake);
  const seen = await images.see('web', podOf('web'), container);
  assert.is(seen.is === 'refused' && seen.message, 'the registry registry.example.com said nothing for 0.02 seconds');
});

spec('an invalid image name is refused in the words of a kubelet without a request', async () => {
  const { podman } = privateImage();
  const unasked = () => Promise.reject(new Error('podman was asked'));
  const images = createImages({
    podman: { ...podman, call: unasked, stream: unasked },
    store: memoryStore(Date.now),
    now: () => 0,
    bring: unasked,
    settled: () => {},
  });
  const faultOf = async (name: string) => {
    const seen = await images.see('web', podOf('web'), { name: 'main', image: name });
    assert.ok(seen.is === 'refused', name);
    assert.equal([seen.reason, seen.until], ['InvalidImageName', null]);
    const [, fault] = seen.message.split(
      `Failed to apply default image tag "${name}": couldn't parse image name "${name}": `,
    );
    return fault;
  };
  assert.is(
    await faultOf('UPPER:bad tag'),
    'invalid reference format: repository name (library/UPPER) must be lowercase',
  );
  for (const name of ['a//b', 'a b', 'web:', 'web:1:2', '-web', 'web@sha256:ab', '/web', 'http://r.example/web'])
    assert.is(await faultOf(name), 'invalid reference format', name);
  assert.match((await faultOf('a'.repeat(64))) ?? '', /cannot specify 64-byte hexadecimal strings$/);
  assert.match((await faultOf(`r.example/${'a'.repeat(256)}`)) ?? '', /must not be more than 255 characters$/);
});

spec('valid image names with a registry, tag or digest are accepted', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const names = [
    'nginx',
    'team/web_1.a-b:V1.2',
    `localhost:5000/web:1@${digest}`,
    `web@${digest}`,
    '[::1]:5000/a/b/c',
    'HOST/web',
  ];
  assert.equal(
    names.map(faultOfName),
    names.map(() => null),
  );
});

spec.run();
