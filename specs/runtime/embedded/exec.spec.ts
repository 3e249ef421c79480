import { PassThrough, Readable } from 'node:stream';
import { Attach, Exec, KubeConfig, Log, type V1Status } from '@kubernetes/client-node';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { annotation } from '../../../crds/names.ts';
import { type Json, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, inSystem } from './started.ts';
import { type Cluster, startedNodes } from './startedNodes.ts';

interface World {
  readonly cluster: Cluster;
  readonly config: KubeConfig;
}

const spec = suite<World>('exec, attach and logs');
const namespace = 'core-system';
const rules = `
- match: { container: talks }
  log: "one\\ntwo\\nthree"
  afterSeconds: 3600
- match: { container: crashes }
  log: last words
  afterSeconds: 0
  exitCode: 1
`;

spec.before(async (context) => {
  const cluster = await startedNodes('simulated', rules);
  const config = new KubeConfig();
  config.loadFromFile(cluster.kubeconfigPath);
  Object.assign(context, { cluster, config });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'green' } };
  await cluster.send('POST', `${inSystem}/configmaps`, { body });
  await cluster.runPod('web', {
    initContainers: [{ name: 'first', image: 'first:1' }],
    containers: [
      {
        name: 'web',
        image: 'web:1',
        env: [
          { name: 'GREETING', value: 'hello' },
          { name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'BOTH', value: '$(GREETING) $(WHO)' },
        ],
        envFrom: [{ configMapRef: { name: 'settings' } }],
        volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
      },
    ],
    volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
  });
  await cluster.runPod('two', { containers: ['a', 'b'].map((name) => ({ name, image: 'web:1' })) });
});
spec.after(({ cluster }) => cluster.end());

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: V1Status;
}

const collecting = () => {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return { stream, text: () => text };
};

async function exec({ config }: World, command: readonly string[], input: Readable | null = null): Promise<Ran> {
  const [stdout, stderr] = [collecting(), collecting()];
  const status = await new Promise<V1Status>((done, failed) => {
    const run = new Exec(config);
    run.exec(namespace, 'web', 'web', [...command], stdout.stream, stderr.stream, input, false, done).catch(failed);
  });
  return { stdout: stdout.text(), stderr: stderr.text(), status };
}

spec('a command sees the environment and the files of its container', async (world) => {
  const { stdout, status } = await exec(world, ['sh', '-c', 'echo "$BOTH" $colour; cat /etc/settings/colour']);
  assert.is(stdout, 'hello web green\ngreen');
  assert.is(status.status, 'Success');
});

spec('stdout and stderr are separate, and the exit code is returned', async (world) => {
  const { stdout, stderr, status } = await exec(world, ['sh', '-c', 'echo out; nosuch; exit 7']);
  assert.is(stdout, 'out\n');
  assert.is(stderr, 'sh: nosuch: not found\n');
  assert.is(status.reason, 'NonZeroExitCode');
  assert.equal(status.details?.causes, [{ reason: 'ExitCode', message: '7' }]);
});

spec('all input and its end reach the command', async (world) => {
  const { stdout } = await exec(world, ['wc', '-c'], Readable.from([Buffer.alloc(700_000), Buffer.alloc(700_001)]));
  assert.is(stdout, '1400001\n');
  const script = await exec(
    world,
    ['sh'],
    Readable.from([Buffer.from('echo first; cd /etc\npwd; exit 3\necho never\n')]),
  );
  assert.is(script.stdout, 'first\n/etc\n');
  assert.equal(script.status.details?.causes, [{ reason: 'ExitCode', message: '3' }]);
});

spec('a missing program is reported in the words of a container runtime', async (world) => {
  const { status } = await exec(world, ['tar', 'cf', '-', '/etc']);
  assert.is(status.reason, 'InternalError');
  assert.match(status.message ?? '', /exec: "tar": executable file not found in \$PATH/);
});

/** A terminal as a client has it. */
async function terminal({ cluster }: World, path: string) {
  const socket = new WebSocket(`${cluster.url.replace('https', 'wss')}${inSystem}/pods/${path}`, 'v5.channel.k8s.io', {
    ca: cluster.caPem,
    headers: { Authorization: `Bearer ${cluster.token}` },
  });
  let screen = '';
  let last: Json = {};
  socket.on('message', (data: Buffer) => {
    if (data[0] === 1) screen += data.subarray(1).toString('utf8');
    if (data[0] === 3) last = JSON.parse(data.subarray(1).toString('utf8')) as Json;
  });
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  await new Promise((done, failed) => socket.once('open', done).once('error', failed));
  return {
    type: (text: string) => socket.send(Buffer.concat([Buffer.of(0), Buffer.from(text)])),
    resize: (Width: number, Height: number) =>
      socket.send(Buffer.concat([Buffer.of(4), Buffer.from(JSON.stringify({ Width, Height }))])),
    shows: (text: string | RegExp) =>
      eventually(
        () => (typeof text === 'string' ? screen.includes(text) : text.test(screen)),
        `${String(text)} in ${screen}`,
      ),
    screen: () => screen,
    status: () => last,
    closed,
  };
}

const tty = 'stdin=true&stdout=true&tty=true';

spec('a simulated terminal names itself as simulated and supports line editing, size and interrupt', async (world) => {
  const shell = await terminal(world, `web/exec?command=sh&container=web&${tty}`);
  await shell.shows('This shell is simulated');
  shell.resize(101, 33);
  shell.type('stty sizf\x7fe\r');
  await shell.shows('33 101\r\n');
  shell.type('sleep 3600\r');
  await shell.shows('sleep 3600\r\n');
  shell.type('\x03');
  await shell.shows('^C\r\n');
  shell.type('echo "code $?"\r');
  await shell.shows('code 130\r\n');
  shell.type('echo again\r');
  await shell.shows('\nagain\r\n');
  shell.type('\x1b[A\r');
  await shell.shows(/again[^]*again[^]*again[^]*\nagain\r\n/);
  shell.type('\x04');
  await shell.closed;
  assert.is(shell.status()['status'], 'Success');
});

spec('attach shows output from then on, and the end of an attached shell ends its container', async (world) => {
  const { cluster, config } = world;
  await cluster.runPod('talks', { containers: [{ name: 'talks', image: 'x:1' }] });
  const seen = collecting();
  const socket = await new Attach(config).attach(namespace, 'talks', 'talks', seen.stream, null, null, false);
  socket.close();
  await cluster.runPod('shell', {
    restartPolicy: 'Never',
    containers: [{ name: 'shell', image: 'busybox', stdin: true, tty: true }],
  });
  const shell = await terminal(world, `shell/attach?${tty}`);
  await shell.shows('# ');
  shell.type('exit 5\r');
  await shell.closed;
  assert.is(shell.status()['status'], 'Success', 'to attach went well, whatever the container ended with');
  const pod = async () => (await cluster.send('GET', `${inSystem}/pods/shell`)).body;
  await eventually(async () => textAt(await pod(), 'status', 'phase') === 'Failed', 'the pod has ended');
  const [status] = listAt(await pod(), 'status', 'containerStatuses') as readonly {
    state: { terminated: { exitCode: number } };
  }[];
  assert.is(status?.state.terminated.exitCode, 5);
});

spec('an ephemeral container starts in a running pod and cannot be removed', async (world) => {
  const { cluster } = world;
  const path = `${inSystem}/pods/two/ephemeralcontainers`;
  const type = 'application/strategic-merge-patch+json';
  const debug = { name: 'debug', image: 'busybox', stdin: true, tty: true };
  const body = { spec: { ephemeralContainers: [debug], restartPolicy: 'Never' } };
  const { body: patched } = await cluster.send('PATCH', path, { body, type });
  assert.is(textAt(patched, 'spec', 'restartPolicy'), 'Always', 'nothing else changes');
  const statuses = async () =>
    listAt((await cluster.send('GET', `${inSystem}/pods/two`)).body, 'status', 'ephemeralContainerStatuses');
  await eventually(async () => textAt((await statuses())[0], 'state', 'running', 'startedAt') !== '', 'it runs');
  const shell = await terminal(world, `two/attach?container=debug&${tty}`);
  await shell.shows('container debug of pod two');
  shell.type('exit\r');
  await shell.closed;
  await eventually(async () => textAt((await statuses())[0], 'state', 'terminated', 'reason') !== '', 'it ended');
  const gone = await cluster.send('PATCH', path, {
    body: { spec: { ephemeralContainers: null } },
    type: 'application/merge-patch+json',
  });
  assert.match(textAt(gone.body, 'message'), /existing ephemeral containers "debug" may not be removed/);
});

spec('an invalid streaming request is refused before the upgrade', async ({ cluster }) => {
  const asked = async (path: string, method = 'GET') => {
    const { code, body } = await cluster.send(method, `${inSystem}/pods/${path}`);
    return `${code} ${textAt(body, 'message')}`;
  };
  assert.is(await asked('nobody/exec?command=ls&stdout=true'), '404 pods "nobody" not found');
  assert.is(
    await asked('two/exec?command=ls&stdout=true', 'POST'),
    '400 a container name must be specified for pod two, choose one of: [a b debug]',
  );
  assert.is(await asked('two/exec?container=z&command=ls&stdout=true'), '400 container z is not valid for pod two');
  assert.is(await asked('web/exec?container=first&command=ls&stdout=true'), '500 container not found ("first")');
  assert.is(await asked('web/exec?command=ls'), '400 you must specify at least 1 of stdin, stdout, stderr');
  assert.is(await asked('web/exec?command=ls&stdout=true'), '400 Upgrade request required');
  assert.is(
    await asked('web/portforward?ports=80', 'POST'),
    '501 port-forward is not served here: a Service is reached by its node port or its Ingress',
  );
  assert.is(
    await asked('web/exec?command=ls&stdout=true', 'DELETE'),
    '405 the server does not allow this method on the requested resource',
  );
});

/** The answer to a request to upgrade that is refused. */
function refused({ cluster }: World, protocols: readonly string[], token = cluster.token): Promise<number> {
  const path = `${inSystem}/pods/web/exec?container=web&command=ls&stdout=true`;
  const socket = new WebSocket(`${cluster.url.replace('https', 'wss')}${path}`, [...protocols], {
    ca: cluster.caPem,
    headers: { Authorization: `Bearer ${token}` },
  });
  return new Promise((done, failed) => {
    socket.on('error', () => {});
    socket.once('open', () => failed(new Error('it was upgraded')));
    socket.once('unexpected-response', (_, response) => {
      done(response.statusCode ?? 0);
      socket.terminate();
    });
  });
}

spec('an upgrade is authenticated like any other request', async (world) => {
  assert.is(await refused(world, ['v5.channel.k8s.io'], 'wrong'), 401);
  assert.is(await refused(world, ['base64.channel.k8s.io']), 403);
});

spec('logs show the previous run, timestamps and limits, and are refused in the words of a kubelet', async (world) => {
  const { cluster } = world;
  await cluster.runPod('crashes', { containers: [{ name: 'crashes', image: 'x:1' }] });
  const log = async (query: string) => {
    const { code, body } = await cluster.send('GET', `${inSystem}/pods/${query}`);
    return code === 200 ? String(body['text']) : `${code} ${textAt(body, 'message')}`;
  };
  await eventually(async () => (await log('crashes/log?previous=true')) === 'last words\n', 'the run before');
  assert.is(
    await log('web/log?previous=true&container=web'),
    '400 previous terminated container "web" in pod "web" not found',
  );
  assert.match(await log('web/log?container=first&timestamps=true'), /^\d{4}-.*T\S{18}Z \S+Z Started\n.*Done\n$/);
  assert.is(await log('web/log?container=first&sinceTime=2999-01-01T00:00:00Z'), '');
  assert.is(await log('web/log?container=first&limitBytes=4'), (await log('web/log?container=first')).slice(0, 4));
  assert.match(
    await log('web/log?container=web&sinceSeconds=0'),
    /^422 .*sinceSeconds: Invalid value: 0: must be greater than 0/,
  );
});

spec(
  'a log is followed by the client from the last lines on, until its container ends',
  async ({ cluster, config }) => {
    await cluster.runPod('follows', { containers: [{ name: 'talks', image: 'x:1' }] });
    const annotations = { [annotation.podLog]: 'one\ntwo\nthree\n' };
    const body = { metadata: { annotations } };
    await cluster.send('PATCH', `${inSystem}/pods/follows`, { body, type: 'application/merge-patch+json' });
    const seen = collecting();
    await new Log(config).log(namespace, 'follows', 'talks', seen.stream, { follow: true, tailLines: 2 });
    await eventually(() => seen.text() === 'two\nthree\n', 'the last two lines');
    const ended = new Promise((done) => seen.stream.once('end', done));
    await cluster.send('DELETE', `${inSystem}/pods/follows?gracePeriodSeconds=0`);
    await ended;
  },
);

spec.run();
