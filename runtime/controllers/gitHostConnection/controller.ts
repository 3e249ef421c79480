import { Clock, Effect } from 'effect';
import type { CoreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import { annotation } from '../../../crds/names.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { withCondition } from '../../../rules/condition.ts';
import { connectionReady } from '../../../rules/connection/ready.ts';
import { msOf } from '../../../rules/time.ts';
import { readOut } from '../../../rules/verdict.ts';
import { connections, platformConfigs } from '../../services/cluster/kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import { byOwnKeys } from '../../services/cluster/indexes.ts';
import { everyChange } from '../../contract/reads.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cluster } from '../../services/cluster/cluster.ts';
import { GitHost } from '../../services/gitHost.ts';
import { applicationIn, appSecretName, refusalOf } from './observe.ts';
import { type Ensured, type Ensuring, holds, ServiceFailed } from '../../contract/ensure.ts';
import { namesBy } from '../../cache/names.ts';
import { find } from '../../services/cluster/find.ts';

/** A token is renewed when less than this much of its time remains. */
const renewBeforeMs = 5 * 60_000;
/** How long the cache may take to show a renewal before the Secret is checked again. */
const heardWithinMs = 60_000;

/**
 * CoreGitHostConnection: keeps the token in its Secret fresh through the platform's application, and reports its state.
 */
export function connectionController(): Controller {
  return controller<CoreGitHostConnection>({
    resource: connections,
    lifecycles: [],
    watches: [
      // The expiry of a token is an annotation of its Secret.
      watching({
        resource: secrets,
        reads: everyChange,
        concerns: ({ metadata }, reader) => usingKeys(reader, metadata.name),
      }),
      watching({
        resource: platformConfigs,
        reads: ({ spec }) => spec.gitAppRef,
        concerns: (_, reader) => reader.list(connections).map(nameOf),
      }),
    ],
    derive,
    ensures: {
      tokenFresh: { run: renew, schedule: { firstMs: 5_000, maxMs: 300_000 } },
      expiryKnown: { run: lookAtItsEnd },
    },
  });
}

const nameOf = ({ metadata }: CoreGitHostConnection) => metadata.name;

/** The connections with a Secret; all of them, if it is that of the platform's application. */
const usingKeys = (reader: CacheReader, secret: string): readonly string[] =>
  secret === appSecretName(reader)
    ? reader.list(connections).map(nameOf)
    : namesBy(reader, connections, byOwnKeys, secret);

const expiresAt = (secret: Secret | undefined) => secret?.metadata.annotations?.[annotation.tokenExpiresAt];

/** Whether the token is the one written at the last renewal, and stays valid for the margin. */
const isFresh = (secret: Secret | undefined, now: number, marginMs: number) =>
  secret?.metadata.annotations?.[annotation.tokenHash] === hashOf(secretText(secret, 'token')) &&
  msOf(expiresAt(secret) ?? '') - marginMs > now;

function derive(connection: CoreGitHostConnection, { reader, now, failures }: Deriving) {
  const { secretRef, installationID } = connection.spec;
  const secret = reader.get(secrets, secretRef.name);
  const verdict = readOut('Ready', connectionReady, {
    secret: secretRef.name,
    secretFound: secret !== undefined,
    hasToken: secretText(secret, 'token') !== '',
    renewed: installationID !== undefined,
    fresh: isFresh(secret, msOf(now), 0),
    failure: failures.get('tokenFresh')?.why ?? '',
  });
  return {
    tokenExpiresAt: expiresAt(secret) ?? null,
    conditions: withCondition(connection, verdict, now),
  };
}

function renew({ object: { spec }, reader }: Ensuring<CoreGitHostConnection>) {
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    const cached = reader.get(secrets, spec.secretRef.name);
    if (spec.installationID === undefined || !cached) return holds;
    if (isFresh(cached, now, renewBeforeMs)) {
      const afterMs = msOf(expiresAt(cached) ?? '') - renewBeforeMs - now;
      return { is: 'waits', afterMs } satisfies Ensured;
    }
    const cluster = yield* Cluster;
    // The cache may not show the last renewal yet, which is no reason to request another token.
    const secret = yield* find(secrets, { name: spec.secretRef.name });
    if (secret === null) return holds;
    if (isFresh(secret, now, renewBeforeMs)) return { is: 'waits', afterMs: heardWithinMs } satisfies Ensured;
    const host = yield* GitHost;
    const answer = yield* host.installationToken(applicationIn(reader), spec.installationID);
    if (answer.is !== 'found') return yield* new ServiceFailed({ message: refusalOf(answer) });
    const { token, expiresAt: until } = answer.value;
    yield* cluster.patch(
      secrets,
      { name: secret.metadata.name },
      {
        metadata: { annotations: { [annotation.tokenExpiresAt]: until, [annotation.tokenHash]: hashOf(token) } },
        data: { token: Buffer.from(token).toString('base64') },
      },
      secret.metadata.uid ? { uid: secret.metadata.uid } : {},
    );
    return { is: 'waits', afterMs: heardWithinMs } satisfies Ensured;
  });
}

/** Requeues for the expiry, so that an expired token is not Ready even when the next renewal is later. */
function lookAtItsEnd({ object: { spec }, reader }: Ensuring<CoreGitHostConnection>) {
  return Effect.map(Clock.currentTimeMillis, (now): Ensured => {
    const secret = reader.get(secrets, spec.secretRef.name);
    if (spec.installationID === undefined || !isFresh(secret, now, 0)) return holds;
    return { is: 'waits', afterMs: msOf(expiresAt(secret) ?? '') - now };
  });
}
