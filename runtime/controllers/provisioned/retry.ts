import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ReconcileRetry } from '../../../crds/provisioning.ts';
import type { ProvisionRetryAction, ProvisionRetryEvent, ProvisionRetryState } from '../../../machines/names.ts';
import { provisionRetry as machine } from '../../../machines/provisionRetry.ts';
import { tables } from '../../../machines/tables.ts';
import { byState } from '../../../rules/engine.ts';
import type { Fact, Known } from '../../../rules/fact.ts';
import { provisionRetryEvents } from '../../../rules/provisionRetry/events.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import { type ElapsedTimes, makeElapsedTimes } from '../elapsedTimes.ts';
import {
  type Acting,
  type AnyLifecycle,
  type Fields,
  lifecycle,
  type ReconcileInput,
  patching,
} from '../../contract/lifecycle.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Outside } from '../../services/outside.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import type { Deploy } from './draftDeploy.ts';

/** Any object whose failures are counted. */
interface Retried extends KubeObject {
  readonly status?: { readonly reconcileRetry?: ReconcileRetry };
}

/** What differs between the kinds whose failures are counted. */
interface RetryOptions<O extends Retried> extends Pick<ProvisionRetryFacts, 'rowOf'> {
  /** The outcome of this pass, by the Ready table of the kind or by the action that has just failed. */
  outcome(object: O, reader: CacheReader, input: ReconcileInput): Fact<PassOutcome>;
  /** The same by a call. */
  ask(object: O, reader: CacheReader): Effect.Effect<Fact<PassOutcome>, never, Outside>;
  /** For a kind with deploys. */
  readonly deploys?: Pick<Deploy<O>, 'isNew' | 'takeUp'>;
}

const retryOf = ({ status }: Retried): ReconcileRetry => status?.reconcileRetry ?? {};

function read(object: Retried): ProvisionRetryState {
  const { gaveUp = false, reconcileFailures = 0 } = retryOf(object);
  if (gaveUp) return 'ProvisionFailed';
  return reconcileFailures > 0 ? 'Counting' : 'Clean';
}

const retryFields: Readonly<Record<ProvisionRetryState, ReconcileRetry>> = {
  Clean: {},
  Counting: { reconcileFailures: 1 },
  ProvisionFailed: { gaveUp: true },
};

type Retries<O extends KubeObject> = Acting<O, ProvisionRetryFacts>;

const kindOf = ({ outcome }: ProvisionRetryFacts): string => {
  const { value } = outcome as Known<PassOutcome>;
  return value.is === 'failed' ? value.kind : '';
};

/**
 * Counts one more failure. `lastFailureAt` is the clock of the pass, not `at`: moves of one pass get distinct stamps,
 * which may be ahead of the next pass's clock.
 */
const counted = <O extends Retried>({ object, facts, at }: Retries<O>, failures: number): ReconcileRetry => ({
  reconcileFailures: failures,
  reconcileFailureStarted: (failures > 1 && retryOf(object).reconcileFailureStarted) || at,
  reconcileFailureGeneration: facts.generation,
  lastFailureAt: isoTime(facts.now),
  lastFailureKind: kindOf(facts),
});

/** Keeps the time of the last counted failure, so that the next one is not counted sooner. */
const cleared = ({ lastFailureAt }: ReconcileRetry): ReconcileRetry =>
  lastFailureAt === undefined ? {} : { lastFailureAt };

function clockStopped(retry: ReconcileRetry): ReconcileRetry {
  const { reconcileFailureStarted: _, ...rest } = retry;
  return rest;
}

const patchesOf = <O extends Retried>({
  deploys,
}: RetryOptions<O>): Readonly<Record<ProvisionRetryAction, (acting: Retries<O>) => Fields>> => ({
  beginRow: (acting) => ({ reconcileRetry: counted(acting, 1) }),
  countFailure: (acting) => ({ reconcileRetry: counted(acting, acting.facts.failures + 1) }),
  giveUp: (acting) => ({ reconcileRetry: { ...counted(acting, acting.facts.failures + 1), gaveUp: true } }),
  giveUpAtOnce: ({ object, facts }) => ({
    reconcileRetry: {
      ...cleared(retryOf(object)),
      reconcileFailures: 0,
      reconcileFailureGeneration: facts.generation,
      gaveUp: true,
    },
  }),
  clearRow: ({ object }) => ({ reconcileRetry: cleared(retryOf(object)) }),
  stopClock: ({ object }) => ({ reconcileRetry: clockStopped(retryOf(object)) }),
  takeUpDeploy: ({ object, reader }) => deploys?.takeUp(object, reader) ?? {},
});

const timeOf = (time: string | null | undefined): number | null =>
  time === null || time === undefined ? null : msOf(time);

/** When the row of failures began; setting the wall clock ahead does not end the row. */
const startOf =
  (elapsedTimes: ElapsedTimes) =>
  (object: Retried, input: ReconcileInput): number | null => {
    const { name, uid = '' } = object.metadata;
    const started = retryOf(object).reconcileFailureStarted;
    const writtenMs = timeOf(started);
    if (writtenMs !== null) return elapsedTimes.by({ name, id: `${uid} ${started}`, writtenMs }, input);
    elapsedTimes.none(name, input);
    return null;
  };

/** Builds the machine of counted failures of a kind; it steps before the one that provisions. */
export function provisionRetryOf<O extends Retried>(counting: RetryOptions<O>): AnyLifecycle {
  const elapsedTimes = makeElapsedTimes();
  const startedAt = startOf(elapsedTimes);
  return lifecycle<O, ProvisionRetryFacts, ProvisionRetryState, ProvisionRetryEvent['type']>({
    name: 'provisionRetry',
    storage: 'status',
    machine,
    ...tables.provisionRetry,
    rules: byState(provisionRetryEvents),
    retrying: (object) => read(object) === 'Counting',
    read,
    write: (to) => ({ reconcileRetry: retryFields[to] }),
    shown: read,
    observe: (object, reader, input) => {
      const retry = retryOf(object);
      return {
        now: input.now,
        deleted: isDeleting(object),
        generation: object.metadata.generation ?? 0,
        redeployed: counting.deploys?.isNew(object, reader) ?? false,
        rowOf: counting.rowOf,
        failures: retry.reconcileFailures ?? 0,
        startedAt: startedAt(object, input),
        failedGeneration: retry.reconcileFailureGeneration ?? 0,
        lastFailureAt: timeOf(retry.lastFailureAt),
        countedKind: retry.lastFailureKind ?? '',
        outcome: counting.outcome(object, reader, input),
      };
    },
    ask: (_, object, reader) => counting.ask(object, reader),
    forget: elapsedTimes.forget,
    actions: patching(patchesOf(counting)),
    ensures: {},
  });
}
