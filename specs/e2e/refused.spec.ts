import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { settingNames } from '../../http/program/settings.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';

const spec = suite('refused starts');
const dataDir = mkdtempSync(join(tmpdir(), 'core-refused-'));
const free = ['--port', '--health-port', '--metrics-port', '--kube-port', '--git-port', '--cloud-port'].flatMap(
  (flag) => [flag, '0'],
);

/** What a start complains of, and its exit code. */
const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly code: unknown; readonly said: string; readonly complaint: string }>((ended) =>
    execFile(
      process.execPath,
      ['dist/core.js', ...args],
      { cwd: root, env: { ...process.env, ...env }, timeout: 60_000 },
      (error, said, complaint) => ended({ code: error?.code ?? error?.signal ?? 0, said, complaint }),
    ),
  );
const refused = async (args: readonly string[], complaint: RegExp, env?: Readonly<Record<string, string>>) => {
  const told = await start(args, env);
  assert.is(told.code, 2);
  const plain = told.complaint.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  assert.match(plain.join('\n'), complaint);
  assert.not.match(told.complaint, /\n\s+at /, 'no stack trace');
};

spec.after(() => rmSync(dataDir, { recursive: true, force: true }));

spec('an invalid setting is refused by name', async () => {
  await refused(['start', '--port', 'http'], /^--port: "http" is not a port$/);
  await refused(['start', '--nodes', 'real'], /^--nodes: "real" is none of simulated, podman, manual$/);
  await refused(['start', '--colour', 'red'], /^unknown option '--colour': see 'core start --help'$/);
  await refused(['start', '--prot', '80'], /^unknown option '--prot': did you mean --port\?$/);
  await refused(['stop'], /^Error: unknown command "stop"/);
});

spec('--help lists every setting and starts nothing', async () => {
  for (const args of [
    ['start', '--help'],
    ['start', '--port', '1', '-h'],
    ['help', 'start'],
  ]) {
    const { code, said } = await start(args);
    assert.is(code, 0);
    const listed = [...said.matchAll(/\n {2}--([a-z-]+) +\S/g)].map(([, name = '']) => name);
    assert.equal(listed.toSorted(), [...new Set(settingNames)].toSorted(), 'each once');
  }
});

spec('the start error names the setting of any port that is in use', async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  for (const name of ['port', 'health-port', 'metrics-port', 'kube-port', 'git-port', 'cloud-port']) {
    const ways = `CORE_${name.toUpperCase().replace('-', '_')} or --${name}`;
    const args = ['start', ...free, '--data-dir', dataDir, `--${name}`, String(port)];
    await refused(
      args,
      new RegExp(
        `^127\\.0\\.0\\.1:${port} is in use: stop what listens there, or choose another port by ${ways} \\(0 takes any\\)$`,
      ),
    );
  }
  server.close();
});

spec('an address that is not of this machine is refused with its setting', async () => {
  const args = ['start', ...free, '--data-dir', dataDir, '--host'];
  await refused(
    [...args, '192.0.2.1'],
    /^192\.0\.2\.1\S* is no address of this machine: choose another by CORE_HOST or --host$/,
  );
  await refused(
    [...args, 'no-such-host.invalid'],
    /^no-such-host\.invalid is no host: choose another by CORE_HOST or --host$/,
  );
});

spec('AUT-004 the sample password is refused for the first admin', async () => {
  const args = ['start', ...free, '--data-dir', join(dataDir, 'fresh')];
  await refused(args, /^CORE_ADMIN_PASSWORD: the sample password is refused$/, { CORE_ADMIN_PASSWORD: 'change-me' });
});

spec('a kubeconfig without a reachable server is reported', async () => {
  const args = ['start', ...free, '--data-dir', dataDir, '--kubeconfig', join(dataDir, 'none')];
  await refused(args, /^the kubeconfig cannot be used: ENOENT/);
});

spec.run();
