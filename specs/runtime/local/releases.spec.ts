import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { notProvidedBy } from '../../../rules/database/notProvided.ts';
import { type Chart, releaseObjects } from '../../../runtime/local/addons/objects.ts';
import { redisScript } from '../../../runtime/local/addons/serverScripts.ts';
import { freePort } from '../../support/freePort.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';

const spec = suite('servers in place of a chart');
const images = { mysql: 'mysql:1', redis: 'redis:1' };
const chart = (values: object): Chart => ({
  metadata: { name: 'core-redis-db-cache', namespace: 'core-system' },
  spec: { targetNamespace: 'shop', valuesContent: JSON.stringify(values) },
});
const without = (values: object, real: typeof images | null = images) =>
  notProvidedBy(releaseObjects(chart(values), real).filter(({ kind }) => kind === 'Pod'));

spec('DB-141a a release reports its omitted parts: copies, and persistence of Redis', () => {
  const half = { persistence: { enabled: false } };
  const two = { ...half, replicaCount: 2 };
  const keepsNothing = 'persistence: what Redis holds ends with its pod';
  assert.is(without({ master: half }), keepsNothing);
  assert.is(
    without({ architecture: 'replication', master: half, replica: two }),
    `${keepsNothing}; without replication, and runs 1 server of 3`,
  );
  assert.is(without({ primary: { persistence: { size: '1Gi' } } }), '');
  assert.is(
    without({ architecture: 'replication', primary: half, secondary: two }),
    'replication, and runs 1 server of 3',
  );
  assert.is(
    without({ architecture: 'replication', master: half, replica: two }, null),
    '',
    'what is acted out lacks nothing',
  );
});

interface Pod extends KubeObject {
  readonly spec: {
    readonly containers: readonly { readonly volumeMounts: readonly object[] }[];
    readonly volumes: readonly object[];
  };
}
const isPod = (object: KubeObject): object is Pod => object.kind === 'Pod';

spec('the volume of a Redis server lives as long as its pod', () => {
  const pod = releaseObjects(chart({ master: { persistence: { enabled: false } } }), images).find(isPod);
  assert.equal(pod?.spec.volumes, [{ name: 'data', emptyDir: {} }]);
  assert.equal(pod?.spec.containers[0]?.volumeMounts, [{ name: 'data', mountPath: '/data' }]);
});

const real = unless(spec, existsSync('/usr/bin/redis-server') ? null : 'this machine has no redis-server');

real('a Redis server keeps its data over a restart in its pod, with a password that contains quotes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-redis-'));
  const port = await freePort();
  const script = redisScript
    .replace('dir /data', `dir ${folder}`)
    .replace('bind 0.0.0.0', `bind 127.0.0.1\nport ${port}`);
  const PASSWORD = 'a"b\\c';
  const start = () => spawn('sh', ['-c', script], { env: { ...process.env, PASSWORD }, stdio: 'ignore' });
  const ask = async (command: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`AUTH 'a"b\\c'\r\n${command}\r\n`);
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    return answer;
  };
  for (const [command, answer] of [
    ['SET kept here', '+OK\r\n+OK\r\n'],
    ['GET kept', '+OK\r\n$4\r\nhere\r\n'],
  ] as const) {
    const server = start();
    await until(async () => (await ask(command).catch(() => '')) === answer, command);
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    assert.is(await ask('PING').catch(() => 'ended'), 'ended', 'nothing of it runs on');
  }
  rmSync(folder, { recursive: true });
});

spec.run();
