import { Effect } from 'effect';
import { coreCloudConnection, type CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { hasUsers } from '../../../rules/cloud/account.ts';
import { secretKeys } from '../../../rules/cloud/keys.ts';
import { isKeysOf } from '../../../rules/cloud/newConnection.ts';
import { type Checked, cloudConnectionReady } from '../../../rules/cloud/ready.ts';
import { conditionOf, withCondition } from '../../../rules/condition.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections, projects } from '../../services/cluster/kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { monotonicMs } from '../../services/monotonic.ts';
import { secretText } from '../../services/secretText.ts';
import { byOwnKeys, byProject } from '../../services/cluster/indexes.ts';
import { dataOf } from '../../contract/reads.ts';
import { ownedSecrets } from '../../owned/ownedSecrets.ts';
import { missingKeys } from '../cloudAccess/account.ts';
import { checks } from '../cloudAccess/providers.ts';
import { following, isOvertaken, pauseOf, type Remembered, reportedOf } from './observe.ts';
import { done, type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';
import { namesBy } from '../../cache/names.ts';

/** CoreCloudConnection: checks the keys of an account by an authenticated request, and reports its state. */
export function cloudConnectionController(): Controller {
  const memory = new Map<string, Remembered>();
  const beside = ownedSecrets<CoreCloudConnection>({
    kind: coreCloudConnection,
    namesOf: ({ spec }) => [spec.secretRef.name],
    isOf: isKeysOf,
  });
  return controller<CoreCloudConnection>({
    resource: cloudConnections,
    lifecycles: [],
    watches: [
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => namesBy(reader, cloudConnections, byOwnKeys, metadata.name),
      }),
      watching({
        resource: projects,
        // Only its existence matters.
        reads: () => null,
        concerns: ({ metadata }, reader) => namesBy(reader, cloudConnections, byProject, metadata.name),
      }),
    ],
    derive: (connection, deriving) => derive(connection, deriving, memory),
    ensures: { secretsOwned: beside.ensure, checked: { run: (given) => check(given, memory) } },
  });
}

/** A hash of all inputs of a check. */
function contentOf({ spec }: CoreCloudConnection, reader: CacheReader): string {
  const secret = reader.get(secrets, spec.secretRef.name);
  return hashOf([spec, secretKeys[spec.provider].map((key) => secretText(secret, key))]);
}

const uidOf = ({ metadata }: CoreCloudConnection): string => metadata.uid ?? metadata.name;

/** Whether the keys are complete and belong to a project, so that the provider is asked. */
const isComplete = (connection: CoreCloudConnection, reader: CacheReader): boolean =>
  reader.get(projects, connection.spec.project ?? '') !== undefined && missingKeys(connection, reader).length === 0;

const verdictOf = (connection: CoreCloudConnection, reader: CacheReader, checked: Checked | null) =>
  readOut('Ready', cloudConnectionReady, {
    name: connection.metadata.name,
    project: connection.spec.project ?? '',
    projectFound: reader.get(projects, connection.spec.project ?? '') !== undefined,
    secret: connection.spec.secretRef.name,
    secretFound: reader.get(secrets, connection.spec.secretRef.name) !== undefined,
    missingKeys: missingKeys(connection, reader),
    hasUsers: connection.spec.provider !== 'Cloud' || hasUsers(connection.spec),
    checked,
  });

/** The last check with these settings and keys, and whether another process has reported another result since. */
function lastCheck(connection: CoreCloudConnection, reader: CacheReader, memory: ReadonlyMap<string, Remembered>) {
  const known = memory.get(uidOf(connection));
  if (known?.of !== contentOf(connection, reader)) return undefined;
  const own = verdictOf(connection, reader, known.checked);
  return {
    known,
    overtaken: isComplete(connection, reader) && isOvertaken(known, own, conditionOf(connection, 'Ready')),
  };
}

function derive(connection: CoreCloudConnection, { reader, now }: Deriving, memory: ReadonlyMap<string, Remembered>) {
  const last = lastCheck(connection, reader, memory);
  // The result of another process stays until the check that follows at once.
  if (last?.overtaken === true) return { conditions: connection.status?.conditions ?? [] };
  const checked = last === undefined ? reportedCheck(connection, memory) : last.known.checked;
  return { conditions: withCondition(connection, verdictOf(connection, reader, checked), now) };
}

/** The last result stays until the next check, also after a restart. */
function reportedCheck(connection: CoreCloudConnection, memory: ReadonlyMap<string, Remembered>): Checked | null {
  const ready = conditionOf(connection, 'Ready');
  const isCurrent = ready?.status === 'True' && ready.observedGeneration === connection.metadata.generation;
  return isCurrent && !memory.has(uidOf(connection)) ? { is: 'works' } : null;
}

const check = Effect.fnUntraced(function* (
  { object: connection, reader }: Ensuring<CoreCloudConnection>,
  memory: Map<string, Remembered>,
) {
  const asks = checks[connection.spec.provider];
  if (!isComplete(connection, reader)) {
    memory.delete(uidOf(connection));
    return holds;
  }
  const of = contentOf(connection, reader);
  const last = lastCheck(connection, reader, memory);
  const known = last?.overtaken === true ? undefined : last?.known;
  const now = yield* monotonicMs;
  const restMs = known === undefined ? 0 : known.at + pauseOf(known) - now;
  if (restMs > 0) return { is: 'waits', afterMs: restMs } satisfies Ensured;
  const remembered = following(known, {
    of,
    over: reportedOf(conditionOf(connection, 'Ready')),
    checked: yield* asks(connection, reader),
    now,
  });
  memory.set(uidOf(connection), remembered);
  if (hashOf(known?.checked ?? null) !== hashOf(remembered.checked)) return done;
  return { is: 'waits', afterMs: pauseOf(remembered) } satisfies Ensured;
});
