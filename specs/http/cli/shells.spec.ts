import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import * as assert from 'uvu/assert';
import { scripts } from '../../../http/cli/completion/scripts.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { summary } from './cases.ts';
import { type Scripted, scriptedServer } from './scripted.ts';

const spec = suite('the command line in shells');
const bashCompletion = '/usr/share/bash-completion/bash_completion';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
const needs = (program: string, isThere = has(program)) => unless(spec, isThere ? null : `there is no ${program}`);

let server: Scripted;
let home = '';

spec.before(async () => {
  server = await scriptedServer();
  server.on('GET /apps', { json: { items: ['web', 'worker', 'api'].map((name) => summary(name)) } });
  home = mkdtempSync(join(tmpdir(), 'core-shells-'));
  mkdirSync(join(home, 'bin'));
  symlinkSync(join(root, 'dist/core.js'), join(home, 'bin/core'));
});
spec.after(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const environment = () => ({
  PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  TERM: 'dumb',
  PS1: '> ',
  CORE_URL: server.url,
  CORE_TOKEN: 'token',
});

/** Types into a shell in a real terminal, as a person does: a TAB, and looks until it shows what is expected. */
async function typed(shell: readonly [string, ...string[]], load: string, keys: Readonly<Record<string, RegExp>>) {
  const [program, ...args] = shell;
  const terminal = spawn(program, args, { cols: 200, rows: 40, env: environment(), cwd: home });
  let shown = '';
  terminal.onData((text) => (shown += text));
  try {
    terminal.write(`${load}; echo lo''aded\r`);
    await until(() => shown.includes('loaded'), `${program} has loaded the script`);
    for (const [line, expected] of Object.entries(keys)) {
      shown = '';
      terminal.write(line);
      await until(() => expected.test(shown), `${program} completes ${JSON.stringify(line)}`);
      // Ctrl-U, and a line of its own that says that it came so far.
      shown = '';
      terminal.write("\u0015echo cl''eared\r");
      await until(() => shown.includes('cleared'), `${program} accepts the next line`);
    }
  } finally {
    terminal.kill('SIGKILL');
  }
}

/** A command, a flag of it, a choice, and a name that the API told. */
const asked = {
  'core dep\t': /core deploy /,
  'core logs web --lev\t': /--level/,
  'core completion z\t': /core completion zsh/,
  'core status wo\t': /core status worker/,
};

needs('bash')('CLI-053 the bash completion completes commands, flags, choices and names', () =>
  typed(['bash', '--norc', '--noprofile', '-i'], 'source <(core completion bash)', asked),
);

needs('bash-completion', existsSync(bashCompletion))(
  'CLI-053 the bash completion works with bash-completion, which splits words at colons',
  () =>
    typed(['bash', '--norc', '--noprofile', '-i'], `source ${bashCompletion}; source <(core completion bash)`, asked),
);

needs('zsh')('CLI-053 the zsh completion completes commands, flags, choices and names', () =>
  typed(['zsh', '-f', '-i'], 'autoload -Uz compinit; compinit -u -D; source <(core completion zsh)', asked),
);

needs('fish')('CLI-053 the fish completion completes commands, flags, choices and names', async () => {
  const complete = (line: string) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const script = `core completion fish | source; core completion fish | source; complete -C '${line}'`;
      execFile('fish', ['--no-config', '-c', script], { env: environment() }, (error, out) =>
        error ? reject(error) : resolve(out.split('\n').filter((word) => word !== '')),
      );
    });
  assert.equal(await complete('core dep'), ['deploy']);
  assert.equal(await complete('core logs web --lev'), ['--level']);
  assert.equal(await complete('core completion z'), ['zsh']);
  assert.equal(await complete('core status w'), ['web', 'worker']);
});

const check = (program: string, args: readonly string[], input = '') =>
  execFileSync(program, args, { cwd: root, input, encoding: 'utf8', stdio: 'pipe' });

needs('dash')('CLI-066 dash parses the install script', async () => {
  assert.is(check('dash', ['-n', 'http/cli/install.sh']), '');
});

needs('shellcheck')('CLI-066 shellcheck finds no problem in the install script and the bash completion', async () => {
  assert.is(check('shellcheck', ['http/cli/install.sh']), '');
  assert.is(check('shellcheck', ['--shell=bash', '-'], scripts.bash), '');
});

needs('mandoc')('mandoc finds no problem in the manual page and renders its synopsis', async () => {
  assert.is(check('mandoc', ['-T', 'lint', 'http/cli/core.1']), '');
  const plain = check('sh', ['-c', 'mandoc -T ascii http/cli/core.1 | col -b']);
  assert.match(plain, /core deploy \[APP\.\.\.\]/);
});

needs('zsh')('zsh parses its completion script', async () => {
  const file = join(home, '_core');
  writeFileSync(file, scripts.zsh);
  assert.is(check('zsh', ['-n', file]), '');
});

spec.run();
