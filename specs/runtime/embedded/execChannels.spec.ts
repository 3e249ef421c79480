import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { close, error, execPath, refusalOf, resize, stderr, stdin, stdout, v4, v5, wire } from './channels.ts';
import { eventually } from './started.ts';
import { type Cluster, startedNodes } from './startedNodes.ts';

const spec = suite<{ cluster: Cluster }>('the channels of exec and attach, on the wire');

spec.before(async (context) => {
  context.cluster = await startedNodes();
  await context.cluster.runPod('web');
});
spec.after(({ cluster }) => cluster.end());

const all = 'stdin stdout stderr';

spec('an empty message comes first, then the output and the status, and the close code is 1000', async (world) => {
  const firsts: readonly (readonly [string, number])[] = [
    ['stdout stderr', stdout],
    ['stderr', stderr],
    ['stdin', error],
    ['stdin stderr tty', error],
  ];
  for (const [streams, channel] of firsts) {
    const run = await wire(world.cluster, execPath(['true'], streams));
    await eventually(() => run.messages.length > 0, 'a first message');
    assert.is(run.messages[0]?.channel, channel, streams);
    assert.is(run.messages[0]?.data.length, 0, streams);
    run.send(close, Buffer.of(stdin));
    assert.is(await run.closed, 1000, streams);
    assert.is(run.messages.at(-1)?.channel, error);
    assert.is(run.status().status, 'Success');
  }
});

spec('only requested streams are sent, and stderr of a terminal comes on stdout', async ({ cluster }) => {
  const both = ['sh', '-c', 'echo out; nosuch'];
  const only = async (streams: string) => {
    const run = await wire(cluster, execPath(both, streams));
    await run.closed;
    assert.is(run.exitCode(), '127');
    return [run.text(stdout), run.text(stderr)];
  };
  assert.equal(await only('stdout stderr'), ['out\n', 'sh: nosuch: not found\n']);
  assert.equal(await only('stdout'), ['out\n', '']);
  assert.equal(await only('stderr'), ['', 'sh: nosuch: not found\n']);
  assert.equal(await only('stdout stderr tty'), ['out\r\nsh: nosuch: not found\r\n', '']);
});

spec('v5 can signal the end of the input and v4 cannot, and later input is ignored', async (world) => {
  const { cluster } = world;
  for (const protocol of [v5, v4]) {
    const run = await wire(cluster, execPath(['cat'], all), protocol);
    assert.is(run.socket.protocol, protocol);
    run.send(stdin, 'one');
    await run.shows(stdout, 'one');
    run.send(close, Buffer.of(stdout));
    run.send(close, Buffer.of());
    run.send(stdin, ' two');
    await run.shows(stdout, 'one two');
    run.send(close, Buffer.of(stdin));
    run.send(stdin, ' three');
    run.send(close, Buffer.of(stdin));
    if (protocol === v4) {
      await run.shows(stdout, 'one two three');
      run.socket.close();
    } else {
      await run.closed;
      assert.is(run.status().status, 'Success');
      assert.is(run.text(stdout), 'one two');
    }
  }
  const next = await wire(cluster, execPath(['echo', 'alive'], 'stdout'));
  await next.closed;
  assert.is(next.text(stdout), 'alive\n');
});

spec('v5 is chosen when both protocols are offered, and other protocols are refused', async ({ cluster }) => {
  const run = await wire(cluster, execPath(['true'], 'stdout'), v4, v5);
  assert.is(run.socket.protocol, v5);
  await run.closed;
  const path = execPath(['true'], 'stdout');
  assert.is(
    await refusalOf(cluster, path, { protocols: ['channel.k8s.io', 'base64.channel.k8s.io'] }),
    '403 requested protocol(s) are not supported: [channel.k8s.io base64.channel.k8s.io]; supports [v5.channel.k8s.io v4.channel.k8s.io]',
  );
  assert.match(await refusalOf(cluster, path, { protocols: [] }), /^403 /);
});

spec('input is read only from the stdin channel, and only when stdin was requested', async ({ cluster }) => {
  const run = await wire(cluster, execPath(['cat'], all));
  for (const channel of [stdout, stderr, error, 9, 254]) run.send(channel, 'never');
  run.socket.send(Buffer.alloc(0));
  run.socket.send('\u0000as text');
  run.send(close, Buffer.of(stdin));
  await run.closed;
  assert.is(run.text(stdout), 'as text');
  assert.is(run.text(stderr), '');
  const deaf = await wire(cluster, execPath(['cat'], 'stdout'));
  deaf.send(stdin, 'unheard');
  deaf.send(stdin, 'unheard');
  await deaf.closed;
  assert.is(deaf.text(stdout), '');
  assert.is(deaf.status().status, 'Success');
});

spec(
  'bytes of large messages are returned unchanged, and a message that is too large ends the connection',
  async ({ cluster }) => {
    const run = await wire(cluster, execPath(['cat'], all));
    const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, index) => (index * 7) % 256));
    run.send(stdin, bytes);
    run.send(close, Buffer.of(stdin));
    await run.closed;
    const came = Buffer.concat(run.messages.filter(({ channel }) => channel === stdout).map(({ data }) => data));
    assert.ok(came.equals(bytes));
    const huge = await wire(cluster, execPath(['cat'], all));
    huge.send(stdin, Buffer.alloc(2_000_000));
    assert.is(await huge.closed, 1009);
  },
);

spec('a terminal has its latest size, and an invalid size is ignored', async ({ cluster }) => {
  const run = await wire(cluster, execPath(['sh'], 'stdin stdout tty'));
  const size = (Width: number, Height: number) => run.send(resize, JSON.stringify({ Width, Height }));
  size(80, 24);
  size(101, 33);
  run.send(resize, 'no JSON');
  run.send(resize, '[1]');
  run.send(stdin, 'stty size\r');
  await run.shows(stdout, '33 101\r\n');
  run.send(stdin, 'exit 3\r');
  await run.closed;
  assert.is(run.exitCode(), '3');
});

spec('a slow reader gets all output and slows down the writer', async ({ cluster }) => {
  const run = await wire(cluster, execPath(['cat'], all));
  run.socket.pause();
  const chunk = Buffer.alloc(256 * 1_024, 'x');
  const chunks = 160;
  for (let count = 0; count < chunks; count += 1) run.send(stdin, chunk);
  // Forty megabytes do not fit into what lies between: the server must have stopped to read.
  await eventually(() => run.socket.bufferedAmount > 0, 'something waits on this side');
  const waits = async () => {
    const before = run.socket.bufferedAmount;
    await new Promise((done) => setTimeout(done, 300));
    return run.socket.bufferedAmount === before;
  };
  await eventually(waits, 'nothing more is taken');
  assert.ok(run.socket.bufferedAmount > 20_000_000, `${run.socket.bufferedAmount} bytes wait`);
  run.socket.resume();
  run.send(close, Buffer.of(stdin));
  await run.closed;
  assert.is(run.text(stdout).length, chunks * chunk.length);
  assert.is(run.status().status, 'Success');
});

spec('a command is killed when its container is deleted', async ({ cluster }) => {
  await cluster.runPod('short');
  const runs = await Promise.all([
    wire(cluster, execPath(['sleep', '3600'], 'stdout', 'short')),
    wire(cluster, execPath(['sh'], 'stdin stdout tty', 'short')),
    wire(cluster, execPath(['cat'], all, 'short')),
  ]);
  await cluster.send('DELETE', '/api/v1/namespaces/core-system/pods/short?gracePeriodSeconds=0');
  for (const run of runs) {
    assert.is(await run.closed, 1000);
    assert.is(run.exitCode(), '137');
  }
});

spec('a reader without further permissions cannot use a WebSocket', async ({ cluster }) => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/core-system';
  const allow = async (user: string, verbs: readonly string[]) => {
    const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs }];
    await cluster.send('POST', `${rbac}/roles`, { body: { metadata: { name: user }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user };
    const body = { metadata: { name: user }, roleRef, subjects: [{ kind: 'User', name: user }] };
    await cluster.send('POST', `${rbac}/rolebindings`, { body });
  };
  await allow('reader', ['get']);
  await allow('maker', ['create']);
  await allow('both', ['get', 'create']);
  const as = (user: string) => ({ headers: { 'Impersonate-User': user } });
  for (const path of [execPath(['true'], 'stdout'), 'web/attach?stdout=true', 'web/portforward?ports=80']) {
    assert.is(await refusalOf(cluster, path, as('reader')), '403 pods "web" is forbidden: ', path);
    const what = path.split('?')[0]?.replace('web', 'pods');
    assert.is(
      await refusalOf(cluster, path, as('maker')),
      `403 pods "web" is forbidden: User "maker" cannot get resource "${what}" in API group "" in the namespace "core-system"`,
    );
    assert.match(await refusalOf(cluster, path, { ...as('both'), protocols: ['none'] }), /^403 requested|^501 /, path);
  }
  const posted = await cluster.send('POST', `/api/v1/namespaces/core-system/pods/${execPath(['true'], 'stdout')}`, {
    ...as('maker'),
  });
  assert.is(posted.code, 400, 'by POST nobody has to read');
});

spec(
  'a program that cannot run is reported in the words of a container runtime, and by a shell with its exit code',
  async (world) => {
    const why = async (program: string) => {
      const run = await wire(world.cluster, execPath([program], 'stdout'));
      await run.closed;
      assert.is(run.status().reason, 'InternalError');
      return /unable to start container process: (.*): unknown/.exec(run.status().message ?? '')?.[1];
    };
    assert.is(await why('nosuch'), 'exec: "nosuch": executable file not found in $PATH');
    assert.is(await why('/bin/nosuch'), 'exec: "/bin/nosuch": stat /bin/nosuch: no such file or directory');
    assert.is(await why('/etc/hostname'), 'exec: "/etc/hostname": permission denied');
    assert.is(await why('/etc'), 'exec: "/etc": is a directory');
    const codes: readonly (readonly [string, string, string])[] = [
      ['nosuch', '127', 'sh: nosuch: not found\n'],
      ['/bin/nosuch', '127', 'sh: /bin/nosuch: not found\n'],
      ['/etc/hostname', '126', 'sh: /etc/hostname: Permission denied\n'],
      ['/etc', '126', 'sh: /etc: Permission denied\n'],
    ];
    for (const [program, code, words] of codes) {
      const run = await wire(world.cluster, execPath(['sh', '-c', program], 'stdout stderr'));
      await run.closed;
      assert.is(run.exitCode(), code);
      assert.is(run.text(stderr), words);
    }
  },
);

spec.run();
