import { Effect } from 'effect';
import type { Client, ConnectConfig, ServerHostKeyAlgorithm } from 'ssh2';
import { type SshCommand, SshFailed, type SshShape } from './ssh.ts';
import { knownKeys } from './knownHosts.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

const sshPort = 22;
/** The timeout for a connection; the pass retries later. */
const answersWithinMs = 20_000;
/** The timeout for a command; an installer may download slowly. */
const endsWithinMs = 300_000;
const maxSaid = 400;

interface SshOptions {
  readonly port?: number;
}

/** Runs commands over SSH with a key; the connection ends with the command. */
export const sshClient = ({ port = sshPort }: SshOptions = {}): SshShape => ({
  run: (asked) =>
    // Loaded on first use, because loading takes longer than the rest of a start.
    Effect.flatMap(
      Effect.promise(() => import('ssh2')),
      ({ Client }) => over(new Client(), asked, port),
    ),
});

const over = (client: Client, asked: SshCommand, port: number): Effect.Effect<void, SshFailed> =>
  Effect.callback<void, SshFailed>((resume) => {
    const fail = (message: string) => resume(Effect.fail(new SshFailed({ message })));
    client
      .on('error', (error) => fail(errorMessage(error)))
      .on('close', () => fail('the connection was closed'))
      .on('ready', () => run(client, asked, (why) => (why === null ? resume(Effect.void) : fail(why))));
    connect(client, asked, port, fail);
  }).pipe(
    Effect.timeoutOrElse({
      duration: endsWithinMs,
      orElse: () => Effect.fail(new SshFailed({ message: 'the command did not end in time' })),
    }),
    Effect.ensuring(Effect.sync(() => void client.destroy())),
  );

function connect(client: Client, asked: SshCommand, port: number, fail: (why: string) => void): void {
  const config = configOf(asked, port);
  if (config === null) return fail('known_hosts names no key of the server');
  try {
    client.connect(config);
  } catch (error) {
    fail(errorMessage(error));
  }
}

/** Null when no known key is of the server. */
function configOf({ host, user, privateKey, knownHosts }: SshCommand, port: number): ConnectConfig | null {
  const given = { host, port, username: user, privateKey, readyTimeout: answersWithinMs };
  if (knownHosts.trim() === '') return given;
  const known = knownKeys(knownHosts, host, port);
  if (known.length === 0) return null;
  return {
    ...given,
    algorithms: { serverHostKey: [...new Set(known.flatMap(({ type }) => algorithmsOf(type)))] },
    hostVerifier: (shown: Buffer) => known.some(({ key }) => key === shown.toString('base64')),
  };
}

/** RSA keys sign by newer algorithms than their line names. */
const algorithmsOf = (type: string): readonly ServerHostKeyAlgorithm[] =>
  (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256', type] : [type]) as readonly ServerHostKeyAlgorithm[];

function run(client: Client, { command, input }: SshCommand, ended: (why: string | null) => void): void {
  client.exec(command, (error, channel) => {
    if (error) return ended(errorMessage(error));
    let said = '';
    const hear = (piece: Buffer) => {
      said = (said + piece.toString()).slice(-maxSaid);
    };
    channel.on('data', hear);
    channel.stderr.on('data', hear);
    channel.on('close', (code: number | null) =>
      ended(code === 0 ? null : `the command ended with ${code ?? 'a signal'}: ${said.trim()}`),
    );
    channel.end(input);
    return undefined;
  });
}
