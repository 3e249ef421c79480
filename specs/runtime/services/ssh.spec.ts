import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Effect, Result } from 'effect';
import ssh2 from 'ssh2';
import * as assert from 'uvu/assert';
import { sshClient } from '../../../runtime/services/ssh/client.ts';
import type { SshCommand } from '../../../runtime/services/ssh/ssh.ts';
import { suite } from '../../support/suite.ts';

const { Server, utils } = ssh2;
const spec = suite('commands over SSH');
const host = '127.0.0.1';
// One in a few hundred of the ed25519 keys that the library makes cannot be read again.
const key = utils.generateKeyPairSync('ecdsa', { bits: 256 });
const other = utils.generateKeyPairSync('ecdsa', { bits: 256 });
const login = utils.generateKeyPairSync('ecdsa', { bits: 256 });

/** An SSH server that runs what it is asked with a shell, for whoever has the key. */
const server = new Server({ hostKeys: [key.private] }, (client) => {
  const allowed = utils.parseKey(login.public);
  if (allowed instanceof Error) throw allowed;
  client.on('error', () => {});
  client.on('authentication', (asked) =>
    asked.method === 'publickey' && asked.key.data.equals(allowed.getPublicSSH()) ? asked.accept() : asked.reject(),
  );
  client.on('session', (accept) =>
    accept().on('exec', (acceptExec, _, { command }) => {
      const channel = acceptExec();
      const child = spawn('sh', ['-c', command]);
      channel.pipe(child.stdin);
      child.stdout.on('data', (piece: Buffer) => channel.write(piece));
      child.stderr.on('data', (piece: Buffer) => channel.stderr.write(piece));
      child.on('close', (code) => {
        channel.exit(code ?? 1);
        channel.end();
      });
    }),
  );
});
let port = 0;
spec.before(async () => {
  server.listen(0, host);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
spec.after(() => void server.close());

const run = async (given: Partial<SshCommand> = {}) => {
  const asked = { host, user: 'root', privateKey: login.private, knownHosts: '', command: 'sh -s', input: 'exit 0\n' };
  const ended = await Effect.runPromise(Effect.result(sshClient({ port }).run({ ...asked, ...given })));
  return Result.isSuccess(ended) ? 'done' : ended.failure.message;
};
const lineOf = (hosts: string, { public: shown } = key) => `${hosts} ${shown.split(' ').slice(0, 2).join(' ')}\n`;

spec('SEC-028 a command runs over SSH with its input, and its failure is reported', async () => {
  assert.is(await run(), 'done');
  assert.is(await run({ input: 'echo "no room" >&2; exit 3\n' }), 'the command ended with 3: no room');
  assert.match(await run({ privateKey: other.private }), /authentication methods failed/);
  assert.match(await run({ privateKey: 'no key' }), /Cannot parse privateKey/);
});

spec('SEC-029 the key of the server is verified when known_hosts names it', async () => {
  const named = `[${host}]:${port}`;
  const salt = Buffer.from('twenty bytes of salt').toString('base64');
  const hash = createHmac('sha1', Buffer.from(salt, 'base64')).update(named).digest('base64');
  assert.is(await run({ knownHosts: '' }), 'done');
  assert.is(await run({ knownHosts: `# a comment\n${lineOf(`other.example,${named}`)}` }), 'done');
  assert.is(await run({ knownHosts: lineOf(`|1|${salt}|${hash}`) }), 'done');
  assert.match(await run({ knownHosts: lineOf(named, other) }), /verif/i);
  assert.is(await run({ knownHosts: lineOf('elsewhere.example') }), 'known_hosts names no key of the server');
  assert.is(await run({ knownHosts: lineOf('|1|x|y') }), 'known_hosts names no key of the server');
});

spec('an unreachable server is reported', async () => {
  const ended = await Effect.runPromise(
    Effect.result(
      sshClient({ port: 1 }).run({
        host,
        user: 'root',
        privateKey: login.private,
        knownHosts: '',
        command: 'true',
        input: '',
      }),
    ),
  );
  assert.ok(Result.isFailure(ended));
});

spec.run();
