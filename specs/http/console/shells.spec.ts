import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from 'effect';
import * as assert from 'uvu/assert';
import { hangUpLeftCommand } from '../../../rules/consoleSession/start.ts';
import { Exec } from '../../../runtime/services/exec.ts';
import { kubeExec } from '../../../runtime/services/kube/exec.ts';
import { type PtyServer, startPtyServer } from '../../support/ptyServer.ts';
import { suite } from '../../support/suite.ts';
import { openTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { type Console, serveConsole } from './given.ts';

const spec = suite('real shells in a terminal');
let console: Console;
let server: PtyServer;
let programs: string;

/** A folder of programs, like that of an image. */
function imageWith(...names: readonly (readonly [string, string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'core-image-'));
  for (const [name, target] of names) symlinkSync(target, join(folder, name));
  return folder;
}

async function serveImage(path: string): Promise<void> {
  programs = path;
  server = await startPtyServer(path);
  console = await serveConsole({}, (services) => Context.add(services, Exec, kubeExec(server.config)));
}
spec.after.each(async () => {
  await console.stop();
  await server.stop();
  if (programs.startsWith(tmpdir())) rmSync(programs, { recursive: true });
});

async function open(command: readonly string[] = ['sh']) {
  const name = await console.create({ command });
  const terminal = await openTerminal(console.address(name), console.bearer);
  await until(() => server.ptys.length > 0, 'a shell runs');
  return { name, terminal, pid: server.ptys.at(-1)?.pid ?? 0 };
}
const tools = (
  [
    ['sleep', '/usr/bin/sleep'],
    ['stty', '/usr/bin/stty'],
  ] as const
).map((one) => one);
const withoutBash = () => imageWith(['sh', '/usr/bin/dash'], ...tools);
const withBash = () => imageWith(['sh', '/usr/bin/dash'], ['bash', '/usr/bin/bash'], ...tools);

spec('CON-022 a console starts a login bash when the image contains bash', async () => {
  await serveImage(withBash());
  const { terminal } = await open();
  terminal.type('shopt -q login_shell && echo login-$((1+1)) $BASH_VERSION\n');
  await terminal.sees(/login-2 \d/);
  terminal.type('exit 5\n');
  await terminal.closed;
  assert.equal(terminal.told, ['{"exit":{"code":5}}']);
});

spec('CON-022 a console starts sh when the image contains no bash', async () => {
  await serveImage(withoutBash());
  const { terminal } = await open();
  terminal.type('echo shell-$((1+1))-${BASH_VERSION:-none}\n');
  await terminal.sees('shell-2-none');
  terminal.socket.terminate();
});

spec('a console has the window size of its client and forwards Ctrl-C to the running command', async () => {
  await serveImage(withBash());
  const { terminal } = await open();
  terminal.say({ resize: { cols: 101, rows: 31 } });
  terminal.type('stty size\n');
  await terminal.sees('31 101');
  terminal.type('echo at-$((1+1)); sleep 600; echo after-$((1+1))\n');
  await terminal.sees('at-2');
  await new Promise((go) => setTimeout(go, 200));
  terminal.type('\u0003');
  terminal.type('echo interrupted-$((1+1))\n');
  await terminal.sees('interrupted-2');
  terminal.socket.terminate();
});

for (const [shell, image] of [
  ['bash', withBash],
  ['dash', withoutBash],
] as const)
  for (const [how, leave] of [
    ['its tab is closed', (one: Awaited<ReturnType<typeof open>>) => one.terminal.socket.close()],
    ['its client is gone', (one: Awaited<ReturnType<typeof open>>) => one.terminal.socket.terminate()],
    ['the server stops', () => void console.served.terminals.stop()],
  ] as const)
    spec(`${shell} and its jobs end with the terminal when ${how}`, async () => {
      await serveImage(image());
      const one = await open();
      const { terminal, pid, name } = one;
      terminal.type('sleep 600 & echo job=$!.; sleep 601\n');
      await terminal.sees(/job=\d+\./);
      const job = Number(/job=(\d+)\./.exec(terminal.shown())?.[1]);
      assert.ok(server.runs(pid) && server.runs(job));
      leave(one);
      await until(() => !server.runs(pid), 'the shell has ended');
      if (shell === 'bash') await until(() => !server.runs(job), 'its job has ended');
      else if (server.runs(job)) process.kill(job);
      await console.is(name, 'Closed');
      assert.equal(server.plain, [['sh', '-c', `kill -HUP ${pid}`]]);
    });

for (const [shell, image] of [
  ['bash', withBash],
  ['dash', withoutBash],
] as const)
  spec(`${shell} is ended by the holder of its session, and another shell keeps running`, async () => {
    await serveImage(image());
    const one = await open();
    const other = await open();
    // Until it runs as a program of its own, its environment does not say whose it is.
    for (const { terminal } of [one, other]) {
      terminal.type('echo runs-$((1+1))\n');
      await terminal.sees('runs-2');
    }
    const holder = console.session(one.name)?.status?.terminal?.holder ?? '';
    assert.match(holder, /\/\d+$/);
    const [program = '', ...args] = hangUpLeftCommand(holder);
    assert.is(spawnSync(program, args).status, 0);
    await until(() => !server.runs(one.pid), 'its shell has ended');
    assert.ok(server.runs(other.pid));
    other.terminal.socket.terminate();
    await until(() => !server.runs(other.pid), 'the other one ends with its terminal');
  });

spec('a shell that ended by itself is not sent a hang-up', async () => {
  await serveImage(withBash());
  const { terminal, name } = await open();
  terminal.type('exit\n');
  await terminal.closed;
  await console.is(name, 'Closed');
  assert.equal(server.plain, []);
});

spec.run();
