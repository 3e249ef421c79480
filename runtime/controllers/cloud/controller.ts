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
import { cloudConnections, projects } from '../../kinds.ts';
import {
  type Controller,
  controller,
  type Deriving,
  done,
  type Ensured,
  type Ensuring,
  holds,
  watching,
} from '../../lifecycle.ts';
import { secrets } from '../../resources.ts';
import { monotonicMs } from '../../services/monotonic.ts';
import { secretText } from '../../services/secretText.ts';
import { byOwnKeys, byProject, namesBy } from '../../indexes.ts';
import { dataOf } from '../../reads.ts';
import { ownedSecrets } from '../ownedSecrets.ts';
import { missingKeys } from './account.ts';
import { checks } from './providers.ts';

const minuteMs = 60_000;
/** A connection that works is checked again after this time, one that does not after a shorter one. */
const againMs = 10 * minuteMs;
const soonMs = minuteMs;
/** Silence that is shorter than this takes nothing back. */
const patienceMs = 3 * minuteMs;

/** The last check of a connection, for the settings and keys that it was made with. */
interface Remembered {
  readonly of: string;
  readonly checked: Checked;
  /** By the monotonic clock (ms), as is the next one. */
  readonly at: number;
  /** When it began to be silent; null where it answered. */
  readonly silentSince: number | null;
}

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
        // Whether it is there.
        reads: () => null,
        concerns: ({ metadata }, reader) => namesBy(reader, cloudConnections, byProject, metadata.name),
      }),
    ],
    derive: (connection, deriving) => derive(connection, deriving, memory),
    ensures: { secretsOwned: beside.ensure, checked: { run: (given) => check(given, memory) } },
  });
}

/** Changes with everything that the answer of the provider depends on. */
function contentOf({ spec }: CoreCloudConnection, reader: CacheReader): string {
  const secret = reader.get(secrets, spec.secretRef.name);
  return hashOf([spec, secretKeys[spec.provider].map((key) => secretText(secret, key))]);
}

const uidOf = ({ metadata }: CoreCloudConnection): string => metadata.uid ?? metadata.name;

/** A provider is asked only about keys that are complete and belong to a project. */
const isComplete = (connection: CoreCloudConnection, reader: CacheReader): boolean =>
  reader.get(projects, connection.spec.project ?? '') !== undefined && missingKeys(connection, reader).length === 0;

function derive(connection: CoreCloudConnection, { reader, now }: Deriving, memory: ReadonlyMap<string, Remembered>) {
  const { spec, metadata } = connection;
  const verdict = readOut('Ready', cloudConnectionReady, {
    name: metadata.name,
    project: spec.project ?? '',
    projectFound: reader.get(projects, spec.project ?? '') !== undefined,
    secret: spec.secretRef.name,
    secretFound: reader.get(secrets, spec.secretRef.name) !== undefined,
    missingKeys: missingKeys(connection, reader),
    hasUsers: spec.provider !== 'Cloud' || hasUsers(spec),
    checked: checkedOf(connection, reader, memory),
  });
  return { conditions: withCondition(connection, verdict, now) };
}

/** What was found stays until the next check, also over a restart. */
function checkedOf(
  connection: CoreCloudConnection,
  reader: CacheReader,
  memory: ReadonlyMap<string, Remembered>,
): Checked | null {
  const known = memory.get(uidOf(connection));
  if (known?.of === contentOf(connection, reader)) return known.checked;
  const ready = conditionOf(connection, 'Ready');
  const isCurrent = ready?.status === 'True' && ready.observedGeneration === connection.metadata.generation;
  return isCurrent && known === undefined ? { is: 'works' } : null;
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
  const before = memory.get(uidOf(connection));
  const known = before?.of === of ? before : undefined;
  const now = yield* monotonicMs;
  const restMs = known === undefined ? 0 : known.at + pauseOf(known) - now;
  if (restMs > 0) return { is: 'waits', afterMs: restMs } satisfies Ensured;
  const remembered = following(known, { of, checked: yield* asks(connection, reader), now });
  memory.set(uidOf(connection), remembered);
  if (hashOf(known?.checked ?? null) !== hashOf(remembered.checked)) return done;
  return { is: 'waits', afterMs: pauseOf(remembered) } satisfies Ensured;
});

/** What is remembered once the provider was asked: silence takes back what worked only after a while. */
function following(
  known: Remembered | undefined,
  { of, checked, now }: { readonly of: string; readonly checked: Checked; readonly now: number },
): Remembered {
  const silentSince = checked.is === 'silent' ? (known?.silentSince ?? now) : null;
  const isPatient = known?.checked.is === 'works' && silentSince !== null && now - silentSince < patienceMs;
  return { of, checked: isPatient ? known.checked : checked, at: now, silentSince };
}

/** Until the next check; a connection that was silent lately is checked soon, though it still counts as working. */
const pauseOf = ({ checked, silentSince }: Remembered): number =>
  checked.is === 'works' && silentSince === null ? againMs : soonMs;
