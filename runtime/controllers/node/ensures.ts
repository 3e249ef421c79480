import { Effect } from 'effect';
import type { CoreNode } from '../../../crds/coreNode.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { joinCommand, joinScript } from '../../../rules/node/join.ts';
import { nodeFor } from '../../../rules/node/place.ts';
import { joinTokenSecret } from '../../../rules/node/ready.ts';
import { done, type Ensure, type Ensured, type Ensuring, holds, ServiceFailed } from '../../contract/ensure.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { Cluster } from '../../services/cluster/cluster.ts';
import { monotonicMs } from '../../services/monotonic.ts';
import { secretText } from '../../services/secretText.ts';
import { Ssh, type SshCommand } from '../../services/ssh/ssh.ts';
import { clusterNodes } from '../capacity.ts';
import { keySecretOf, nodeSeen } from './observe.ts';

/** A node appears soon after its agent was installed; after this time the installer runs again. */
const appearsWithinMs = 600_000;

/** The last successful installation on each server by uid: its inputs and time. */
type Installed = Map<string, { readonly hash: string; readonly at: number }>;

/** Installs the agent on a server that has no node yet, over SSH. It may run twice: an installer is idempotent. */
export function joined(installer: string): Ensure<CoreNode> {
  const installed: Installed = new Map();
  return {
    // The pass that retries reports the failure, so the first retries follow soon.
    schedule: { firstMs: 5_000, maxMs: 600_000 },
    run: ({ object: server, reader }) => {
      const seen = nodeSeen(server, reader, '');
      return seen.node === 'none' && seen.hasKey && seen.hasToken
        ? join({ server, command: commandOf({ object: server, reader }, installer) }, installed)
        : Effect.succeed(holds);
    },
  };
}

function commandOf({ object, reader }: Pick<Ensuring<CoreNode>, 'object' | 'reader'>, installer: string): SshCommand {
  const { metadata, spec } = object;
  const key = reader.get(secrets, keySecretOf(object));
  const token = reader.get(secrets, joinTokenSecret);
  return {
    host: spec.address,
    user: spec.user ?? 'root',
    privateKey: secretText(key, 'ssh-privatekey'),
    knownHosts: secretText(key, 'known_hosts'),
    command: joinCommand(spec),
    input: joinScript({
      name: metadata.name,
      token: secretText(token, 'token'),
      server: secretText(token, 'server'),
      installer,
    }),
  };
}

interface Joining {
  readonly server: CoreNode;
  readonly command: SshCommand;
}

const join = Effect.fnUntraced(function* ({ server, command }: Joining, installed: Installed) {
  const { uid = '' } = server.metadata;
  const hash = hashOf(command);
  const now = yield* monotonicMs;
  const before = installed.get(uid);
  if (before?.hash === hash && now < before.at + appearsWithinMs)
    return { is: 'waits', afterMs: before.at + appearsWithinMs - now } satisfies Ensured;
  const cluster = yield* Cluster;
  // The cache may not show its node yet, so reads directly before installing.
  const { items } = yield* cluster
    .list(clusterNodes)
    .pipe(Effect.mapError(() => new ServiceFailed({ message: 'the nodes could not be listed' })));
  if (nodeFor(server, items) !== undefined) return holds;
  const ssh = yield* Ssh;
  yield* ssh.run(command).pipe(Effect.mapError(({ message }) => new ServiceFailed({ message })));
  installed.set(uid, { hash, at: yield* monotonicMs });
  return done;
});
