import type { IncomingMessage } from 'node:http';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { Effect } from 'effect';
import { WebSocket } from 'ws';
import { pods } from '../cluster/resources.ts';
import type { Name } from '../cluster/cluster.ts';
import type { ExecShape, Execution, ExecStream } from '../exec.ts';
import { pathOf } from './cluster.ts';
import { type Credentials, type CredentialSource, makeCredentials, userAgent } from './credentials.ts';
import { streamOver } from './execStream.ts';
import { type Failure, failureOf, ofRead, silence } from './failure.ts';

/** In order of preference; only v5 can close a stream. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const openWithinMs = 10_000;
const largestMessage = 16 * 1_024 * 1_024;
const longestRefusal = 64 * 1_024;

/** A refused upgrade, with its body. */
interface RefusedUpgrade {
  readonly code: number;
  readonly failure: Failure;
}

type Opening = { readonly is: 'open'; readonly socket: WebSocket } | ({ readonly is: 'refused' } & RefusedUpgrade);

/** Runs commands over the WebSocket of `pods/exec`, authenticated by the kubeconfig. */
export function kubeExec(config: KubeConfig, renewed: () => KubeConfig = () => config): ExecShape {
  const source = makeCredentials(config, renewed);
  return {
    open: (pod, execution) =>
      Effect.tryPromise({
        try: (signal) => opened(source, addressOf(source, pod, execution), signal),
        catch: silence,
      }).pipe(
        Effect.flatMap((opening): Effect.Effect<ExecStream, Failure> =>
          opening.is === 'open' ? Effect.succeed(streamOver(opening.socket)) : Effect.fail(opening.failure),
        ),
        Effect.mapError(ofRead),
      ),
  };
}

function addressOf(
  { origin, prefix }: CredentialSource,
  pod: Name,
  { container, command, interactive, reads = false }: Execution,
): string {
  const asked = new URLSearchParams([
    ...command.map((word) => ['command', word]),
    ['container', container],
    ['stdin', String(interactive || reads)],
    ['stdout', 'true'],
    // A terminal has only one output.
    ['stderr', String(!interactive)],
    ['tty', String(interactive)],
  ]);
  return `${origin.replace(/^http/, 'ws')}${prefix}${pathOf(pods, pod, '/exec')}?${asked.toString()}`;
}

async function opened(source: CredentialSource, address: string, signal: AbortSignal): Promise<Opening> {
  const used = await source.current();
  const first = await dial(address, used, signal);
  if (first.is === 'open' || first.code !== 401) return first;
  const next = await source.replaced(used).catch(() => null);
  return next === null ? first : dial(address, next, signal);
}

function dial(address: string, { headers, tls }: Credentials, signal: AbortSignal): Promise<Opening> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, protocols, {
      ...(tls as object),
      headers: { ...headers, 'User-Agent': userAgent },
      handshakeTimeout: openWithinMs,
      maxPayload: largestMessage,
      perMessageDeflate: false,
    });
    const leave = () => socket.terminate();
    signal.addEventListener('abort', leave, { once: true });
    socket.on('error', reject);
    const refused = async (response: IncomingMessage) => {
      const text = await textOf(response);
      socket.terminate();
      const code = response.statusCode ?? 0;
      resolve({ is: 'refused', code, failure: failureOf(Math.max(code, 400), text, response.headers) });
    };
    socket.once('unexpected-response', (_, response) => void refused(response).catch(reject));
    socket.once('open', () => {
      signal.removeEventListener('abort', leave);
      // Output stays in the connection until there is a listener.
      socket.pause();
      resolve({ is: 'open', socket });
    });
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > longestRefusal) break;
  }
  return Buffer.concat(parts).toString();
}
