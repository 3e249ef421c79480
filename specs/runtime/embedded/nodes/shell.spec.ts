import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Exit, WindowSize } from '../../../../runtime/embedded/api/podProcesses.ts';
import { createPodProcesses } from '../../../../runtime/embedded/nodes/podProcesses.ts';
import { fits, globSteps, grepSteps } from '../../../../runtime/embedded/nodes/shell/pattern.ts';
import { suite } from '../../../support/suite.ts';
import { manualClock } from './manualClock.ts';
import { memoryStore } from './memoryStore.ts';

const shell = suite('the simulated shell');

interface Ran {
  readonly out: string;
  readonly err: string;
  readonly exit: Exit;
}

/** Runs a command in a container that is described here, as exec does. */
async function run(
  command: readonly string[],
  container: object = {},
  mode: 'simulated' | 'local' = 'simulated',
  typed?: string,
) {
  const clock = manualClock();
  const store = memoryStore(clock.now);
  const pod = await store.create(
    { bucket: '/pods', namespace: 'shop', name: 'web' },
    { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'web', image: 'web:1', ...container }] } },
  );
  const logs = { read: () => '', follow: () => ({ stop: () => {}, ended: Promise.resolve() }) };
  const { exec } = createPodProcesses({ store, clock, logs, mode });
  const gone = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { out: '', err: '' };
  stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString('utf8')));
  stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString('utf8')));
  const size = (): WindowSize | null => null;
  const stdin = typed === undefined ? null : PassThrough.from([Buffer.from(typed)]);
  const stdio = { stdin, stdout, stderr, tty: typed !== undefined, size, onResize: () => {}, gone: gone.signal };
  const exit = await exec(pod, 'web', { command, stdio });
  return { ...texts, exit } satisfies Ran;
}

const sh = (script: string, container: object = {}) => run(['sh', '-c', script], container);
const outOf = async (script: string, container: object = {}) => (await sh(script, container)).out;

shell('words are split, quoted and expanded as by a shell', async () => {
  assert.is(
    await outOf(`X='a  b'; echo $X "$X" '$X' \\$X "\\$X" x"y"'z' \${NO:-none} "$(echo in; echo side)"`),
    'a b a  b $X $X $X xyz none in\nside\n',
  );
  assert.is(await outOf('A=1 printenv A; printenv A; echo $?'), '1\n1\n');
  assert.is(await outOf('echo a#b # a comment\necho two;echo three'), 'a#b\ntwo\nthree\n');
  assert.is(await outOf('cd /etc; echo host*; echo *nothing'), 'hostname hosts\n*nothing\n');
});

shell('command -v finds commands, and exec replaces the shell', async () => {
  assert.is(
    await outOf('command -v echo nosuch; command -v nosuch || echo none; command echo run'),
    'echo\nnone\nrun\n',
  );
  assert.is(await outOf('command -v bash >/dev/null 2>&1 && echo there; exec echo last; echo never'), 'there\nlast\n');
  assert.equal((await sh('exec false; true')).exit, { is: 'exited', code: 1 });
  assert.is(
    await outOf(`sh -c 'exec echo inner; echo never'; echo outer; printf '\\033[0m\\101'`),
    'inner\nouter\n\u001b[0mA',
  );
});

shell('a script at a terminal may exec an interactive shell', async () => {
  const script = `printf '\\033]7197;core;%s\\007' "$$"; command -v bash >/dev/null 2>&1 && exec bash -l; exec sh`;
  const { out, exit } = await run(['sh', '-c', script], {}, 'simulated', 'echo typed-$((1))$0\nexit 3\n');
  assert.ok(out.startsWith('\u001b]7197;core;7\u0007'), JSON.stringify(out.slice(0, 60)));
  assert.match(out, /This shell is simulated/);
  assert.equal(exit, { is: 'exited', code: 3 });
});

shell('commands depend on earlier exit codes, and pipes and redirects connect them', async () => {
  assert.is(await outOf('true && echo yes || echo no; false && echo yes || echo no'), 'yes\nno\n');
  assert.is(await outOf("printf 'b\\na\\nb\\n' | sort -u | grep -v a | wc -l"), '1\n');
  assert.is(
    await outOf('echo one > /tmp/f; echo two >> /tmp/f; cat < /tmp/f | tail -n 1; nosuch 2>&1 | head -n 1'),
    'two\nsh: nosuch: not found\n',
  );
  assert.is(await outOf('cd /tmp | true; pwd; (x'), '');
  const { err, exit } = await sh('nosuch; cat /nope');
  assert.is(err, "sh: nosuch: not found\ncat: can't open '/nope': No such file or directory\n");
  assert.equal(exit, { is: 'exited', code: 1 });
  assert.equal((await sh('nosuch')).exit, { is: 'exited', code: 127 });
  assert.equal((await sh('sh -c "exit 3"; exit $?')).exit, { is: 'exited', code: 3 });
});

shell('the simulated shell reports unsupported commands', async () => {
  for (const script of ['while true; do x; done', 'echo $((1+1))', 'x &', 'cat <<E', 'if true; then x; fi']) {
    const { err, exit } = await sh(script);
    assert.match(err, /not simulated/, script);
    assert.equal(exit, { is: 'exited', code: 2 }, script);
  }
  assert.match(await outOf('cat /etc/os-release; help'), /Simulated[^]*This shell is simulated/);
  assert.is((await run(['bash'])).exit.is, 'exited');
  assert.is((await run(['/usr/bin/python'])).exit.is, 'failed');
});

shell('files of a container are limited in size', async () => {
  const { err } = await sh(`echo ${'x'.repeat(120_000)} > /tmp/a; ${'cat /tmp/a >> /tmp/b; '.repeat(12)}wc -c /tmp/b`);
  assert.match(err, /No space left on device/);
  const stuck = await sh('cat /dev/zero');
  assert.match(stuck.err, /No such file/);
});

shell('no script makes the simulated shell fail or hang', async () => {
  const piece = fc.constantFrom(
    'echo',
    ' ',
    'a',
    "'",
    '"',
    '$',
    '(',
    ')',
    '{',
    '}',
    '`',
    '\\',
    '|',
    '&',
    ';',
    '>',
    '<',
    '\n',
    '*',
    '#',
    '1',
    '$(',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
      const { exit } = await sh(pieces.join(''));
      assert.is(exit.is, 'exited');
    }),
    { numRuns: 300 },
  );
});

shell('patterns match like equivalent regular expressions', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 }), text, (pattern, given) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      assert.is(fits(globSteps(pattern), given), expression.test(given));
    }),
  );
  const asGrep = fc.array(fc.constantFrom('a', 'b', '.', '.*', '\\.'), { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(asGrep, fc.constantFrom('', '^'), fc.constantFrom('', '$'), text, (inner, start, end, given) => {
      const pattern = start + inner + end;
      assert.is(fits(grepSteps(pattern) ?? [], given), new RegExp(pattern).test(given), pattern);
    }),
  );
  assert.is(grepSteps('a+[b]'), null);
});

shell('a local command runs in an empty folder with only the environment of its container', async () => {
  process.env['CORE_SHELL_SPEC'] = 'secret';
  const { out, exit } = await run(
    ['sh', '-c', 'ls -A; pwd; echo "$HOME"; echo "$WHO$CORE_SHELL_SPEC"; exit 4'],
    { env: [{ name: 'WHO', value: 'me' }] },
    'local',
  );
  delete process.env['CORE_SHELL_SPEC'];
  const [folder, home, who] = out.split('\n');
  assert.match(folder ?? '', /core-exec-/);
  assert.is(home, folder);
  assert.is(who, 'me');
  assert.equal(exit, { is: 'exited', code: 4 });
  const missing = await run(['core-no-such-program'], {}, 'local');
  assert.is(missing.exit.is, 'failed');
});

shell.run();
