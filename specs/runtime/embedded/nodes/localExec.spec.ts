import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Exit, WindowSize } from '../../../../runtime/embedded/api/podProcesses.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import { type NodeProcesses, createPodProcesses } from '../../../../runtime/embedded/nodes/podProcesses.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { until } from '../../../support/until.ts';
import { manualClock } from './manualClock.ts';
import { type MemoryStore, memoryStore } from './memoryStore.ts';

interface World {
  readonly store: MemoryStore;
  readonly pod: Stored;
  readonly processes: NodeProcesses;
}

const spec = suite<World>('commands as processes of this machine');
const hasProc = unless(spec, existsSync('/proc/self/environ') ? null : 'this system does not tell of its processes');
const hasTerminals = unless(spec, existsSync('/usr/bin/script') ? null : 'there is no `script` here');
const place = { bucket: '/pods', namespace: 'shop', name: 'web' };

spec.before.each(async (context) => {
  const clock = manualClock();
  const store = memoryStore(clock.now);
  const pod = await store.create(place, {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: {
      containers: [{ name: 'web', image: 'web:1', workingDir: '/usr', env: [{ name: 'HOME', value: '/root' }] }],
    },
  });
  const logs = { read: () => '', follow: () => ({ stop: () => {}, ended: Promise.resolve() }) };
  const processes = createPodProcesses({ store, clock, logs, mode: 'local' });
  Object.assign(context, { store, pod, processes });
});
spec.after.each(({ processes }) => processes.stop());

interface Asked {
  readonly stdin?: PassThrough;
  readonly tty?: boolean;
  readonly size?: WindowSize;
  readonly hears?: boolean;
}

/** Starts a command; whoever looks on may go. */
function start({ processes, pod }: World, command: readonly string[], asked: Asked = {}) {
  const { stdin = null, tty = false, size = null, hears = true } = asked;
  const gone = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { out: '', err: '' };
  if (hears) stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString('utf8')));
  stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString('utf8')));
  const onResize = (heard: (size: WindowSize) => void) => size && heard(size);
  const stdio = { stdin, stdout, stderr, tty, size: () => size, onResize, gone: gone.signal };
  const exit = processes.exec(pod, 'web', { command, stdio });
  const leave = () => {
    gone.abort();
    for (const stream of [stdout, stderr]) stream.destroy();
  };
  return { texts, exit, leave, stdout };
}

async function run(world: World, command: readonly string[], asked: Asked = {}) {
  const { texts, exit } = start(world, command, asked);
  return { exit: await exit, ...texts };
}

const sh = (world: World, script: string, asked: Asked = {}) => run(world, ['sh', '-c', script], asked);
const exited = (code: number): Exit => ({ is: 'exited', code });

/** A text that stands in no other command line, nor in those of another run of this file; `sleep` takes it for a number. */
const newMark = () => `${process.pid}${process.hrtime.bigint()}`;

/** Who is killed may still be told of for a moment. */
const areGone = (mark: string) => until(() => processesWith(mark).length === 0, `nothing of ${mark} is left`);

/** The processes whose command line holds a text that nobody else's does. */
const processesWith = (mark: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });

/** A family: a child in the group, one in a session of its own, and both deaf to every polite signal. */
const family = (mark: string) =>
  `trap '' TERM HUP INT; (sleep 1000.${mark}; true) & setsid sh -c "trap '' TERM HUP INT; sleep 2000.${mark}; true" & ` +
  `echo up; while :; do sleep 3000.${mark}; done`;

async function familyUp(world: World, mark: string) {
  const running = start(world, ['sh', '-c', family(mark)]);
  await until(() => running.texts.out === 'up\n' && processesWith(mark).length >= 4, 'the family is there');
  return running;
}

hasProc('a command and all its child processes are killed when the client disconnects', async (world) => {
  const mark = newMark();
  const { leave, exit } = await familyUp(world, mark);
  leave();
  assert.equal(await exit, exited(137));
  await areGone(mark);
});

hasProc('all commands are killed when the nodes stop', async (world) => {
  const mark = newMark();
  const { exit } = await familyUp(world, mark);
  world.processes.stop();
  assert.equal(await exit, exited(137));
  await areGone(mark);
});

hasProc('commands are killed when their container ends', async (world) => {
  const mark = newMark();
  const { exit } = await familyUp(world, mark);
  await world.store.remove(place);
  assert.equal(await exit, exited(137));
  await areGone(mark);
});

hasProc('background processes of a command are killed when the command ends', async (world) => {
  const mark = newMark();
  const { exit } = await sh(world, `setsid sleep 1000.${mark} & sleep 1000.${mark} & exit 5`);
  assert.equal(exit, exited(5));
  await areGone(mark);
});

hasProc('a client that disconnects during unread output leaves no process and no folder', async (world) => {
  const mark = newMark();
  const { leave, exit, stdout } = start(world, ['sh', '-c', `pwd >&2; yes ${mark}`], { hears: false });
  await until(() => stdout.readableLength > 0, 'output');
  leave();
  await exit;
  await areGone(mark);
});

spec('the working directory of a local command is empty, is HOME and is removed afterwards', async (world) => {
  const { out } = await sh(world, 'ls -A; pwd; echo "$HOME"; mkdir -p a/b; echo text > a/b/c; chmod 500 a/b');
  const [folder = '', home] = out.split('\n');
  assert.match(folder, /core-exec-/);
  assert.is(home, folder);
  assert.not.ok(existsSync(folder));
});

spec('a local command has the environment of its container and not of this process', async (world) => {
  process.env['CORE_LOCAL_SPEC'] = 'secret';
  const { out } = await run(world, ['env']);
  delete process.env['CORE_LOCAL_SPEC'];
  const names = out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('=')[0]]));
  assert.equal(new Set(names), new Set(['HOME', 'HOSTNAME', 'PATH']));
});

spec('the exit code of a local command is that of the program or of its signal', async (world) => {
  assert.equal((await sh(world, 'exit 42')).exit, exited(42));
  assert.equal((await sh(world, 'kill -USR1 $$')).exit, exited(138));
  assert.equal((await sh(world, 'kill -SEGV $$')).exit, exited(139));
  assert.equal((await sh(world, 'nosuch')).exit, exited(127));
  assert.equal((await sh(world, 'touch x; ./x')).exit, exited(126));
});

spec('a program that cannot start is reported in the words of a container runtime', async (world) => {
  const why = async (program: string, tty = false) => {
    const { exit } = await run(world, [program], { tty });
    return exit.is === 'failed' ? /process: (exec: .*): unknown$/.exec(exit.why)?.[1] : 'it ran';
  };
  assert.is(await why('core-no-such'), 'exec: "core-no-such": executable file not found in $PATH');
  assert.is(await why('core-no-such', true), 'exec: "core-no-such": executable file not found in $PATH');
  assert.is(await why('/core/no'), 'exec: "/core/no": stat /core/no: no such file or directory');
  assert.is(await why('/etc'), 'exec: "/etc": is a directory');
  const plain = fileURLToPath(import.meta.url);
  assert.is(await why(plain), `exec: "${plain}": permission denied`);
  assert.is(await why(''), 'exec: "": executable file not found in $PATH');
});

spec('a local command reads its input to the end, and stdout and stderr are separate', async (world) => {
  const stdin = new PassThrough();
  stdin.end(Buffer.alloc(1_000_000, 'x'));
  const { out, err } = await sh(world, 'wc -c; echo bad >&2', { stdin });
  assert.is(out.trim(), '1000000');
  assert.is(err, 'bad\n');
  assert.is((await run(world, ['cat'])).out, '', 'without a client that sends there is no input');
});

hasTerminals('a local terminal has its size and one stream', async (world) => {
  const { out, err, exit } = await sh(world, 'stty size; echo bad >&2; echo $TERM; exit 9', {
    tty: true,
    size: { rows: 33, columns: 101 },
    stdin: new PassThrough(),
  });
  assert.is(out, '33 101\r\nbad\r\nxterm\r\n');
  assert.is(err, '');
  assert.equal(exit, exited(9));
});

hasTerminals('a shell at a terminal ends when its client disconnects', async (world) => {
  const mark = newMark();
  const { texts, leave, exit } = start(world, ['sh', '-c', `echo up; sleep 1000.${mark}`], {
    tty: true,
    stdin: new PassThrough(),
  });
  await until(() => texts.out.includes('up'), 'it runs');
  leave();
  await exit;
  await areGone(mark);
});

spec.run();
