import { Effect } from 'effect';
import { type FoundCause, severityOf } from '../../../rules/cause/cause.ts';
import { findings } from '../../../rules/cause/findings.ts';
import { causesOfFlapping } from '../../../rules/cause/flapping.ts';
import type { CauseInput } from '../../../rules/cause/rule.ts';
import { type Verdict, withCondition } from '../../../rules/condition.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { lastErrorOf } from '../../../rules/provision/attempts.ts';
import { type Blocker, blockerAmong } from '../../../rules/provision/blockers.ts';
import type { Tried } from '../../../rules/provision/ready.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { msOf } from '../../../rules/time.ts';
import { firstHeld, verdictOf } from '../../../rules/verdict.ts';
import { external, nothing } from '../../../rules/words.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { type Deriving, derivingNow } from '../../contract/controller.ts';
import { historyOf } from '../../step/history.ts';
import { refOf, worstCauseIn } from '../causes.ts';
import { oncePerPass } from '../oncePerPass.ts';
import { type DerivingOfPods, volumeEvents, type VolumeEventOf } from '../volumeEvents.ts';
import {
  type Acting,
  type AnyLifecycle,
  lifecycle,
  type ReconcileInput,
  type Trigger,
} from '../../contract/lifecycle.ts';
import { attemptActions, type Blocked, type Provisioned } from './actions.ts';
import { gateIn } from './draftDeploy.ts';
import { reapplied } from './ensures.ts';
import type { AroundKnown, Evaluated, Observing, ProvisionedKind, ProvisionedParts, ProvisionedTypes } from './kind.ts';
import { provisionRetryOf } from './retry.ts';

/** The lens. An object not being deleted is never in a deletion state, whatever its status says. */
const lensOf =
  <T extends ProvisionedTypes>({ states, deletionPhases }: ProvisionedKind<T>) =>
  (object: T['object']): T['state'] | Absence => {
    const state = states.find((one) => one === object.status?.phase);
    if (state === undefined) return '(none)';
    return state in deletionPhases && !isDeleting(object) ? 'Provisioning' : state;
  };

const observingIn = (
  { deploy }: Pick<ProvisionedKind<ProvisionedTypes>, 'deploy'>,
  reader: CacheReader,
  reconcileInput: ReconcileInput,
): Observing => ({
  reader,
  gate: deploy === undefined ? 'Ungated' : gateIn(reconcileInput),
  now: reconcileInput.now,
  failure: reconcileInput.failure,
});

/** The machine of counted failures: a pass fails as the Ready table says. */
const retryOf = <T extends ProvisionedTypes>(kind: ProvisionedKind<T>): AnyLifecycle =>
  provisionRetryOf<T['object']>({
    rowOf: 'anyKind',
    outcome: (object, reader, reconcileInput) =>
      known(kind.outcome(kind.observe(object, observingIn(kind, reader, reconcileInput)))),
    ask: () => Effect.succeed(unknown('nothing is asked for')),
    ...(kind.deploy && { deploys: kind.deploy }),
  });

/** Default before the object exists, when no other machine has stepped. */
const nothingTried: RetrySeen = { state: 'Clean', event: null };
const retryIn = ({ others }: ReconcileInput): RetrySeen =>
  (others['provisionRetry'] as RetrySeen | undefined) ?? nothingTried;

/** What the rows of Ready read for their causes. */
const causeInputOf = <T extends ProvisionedTypes>(
  kind: ProvisionedKind<T>,
  object: T['object'],
  seen: T['seen'],
  deriving: DerivingOfPods,
): Omit<CauseInput, 'message'> => ({
  self: refOf(object),
  copies: () => kind.copies?.(object, seen, deriving) ?? [],
  job: (role) => kind.job?.(object, role, deriving),
  causeOf: worstCauseIn(deriving.reader),
});

/** The blocker in the facts of an action, as in Ready; null for none. */
const blockedBy =
  <T extends ProvisionedTypes>(kind: ProvisionedKind<T>, volumeEvent: VolumeEventOf) =>
  ({ object, facts, reader, at: now }: Acting<T['object'], T['facts']>): Blocked | null => {
    if (facts.around.is !== 'known') return null;
    const seen = kind.seenIn(facts as AroundKnown<T['facts']>);
    const blocker = blockerAmong(kind.blockers, seen);
    if (blocker === undefined) return null;
    const message = blocker.message(seen);
    // Ready repeats the error that gave up at once, word for word.
    if (blocker.counts === 'permanent') return { message, causes: [] };
    const input = causeInputOf(kind, object, seen, { ...derivingNow({ reader, now }), volumeEvent });
    return { message, causes: blocker.cause?.find(seen, { ...input, message }) ?? [] };
  };

function machineOf<T extends ProvisionedTypes>(kind: ProvisionedKind<T>, volumeEvent: VolumeEventOf): AnyLifecycle {
  const stateOf = lensOf(kind);
  return lifecycle<T['object'], T['facts'], T['state'], T['event']>({
    ...kind.machine,
    storage: 'status',
    retrying: (object) =>
      stateOf(object) === 'Provisioning' && (object.status?.reconcileRetry?.reconcileFailures ?? 0) > 0,
    read: stateOf,
    write: (to) => ({ phase: to }),
    shown: (object) => {
      const state = stateOf(object);
      return state === '(none)' ? (object.status?.phase ?? 'Provisioning') : state;
    },
    observe: (object, reader, reconcileInput) => {
      const given = observingIn(kind, reader, reconcileInput);
      const facts = kind.facts(object, { ...given, input: reconcileInput, seen: kind.observe(object, given) });
      return { now: reconcileInput.now, retry: retryIn(reconcileInput), ...facts } as Omit<T['facts'], keyof Trigger>;
    },
    ask: (fact, object, reader) => kind.ask(fact, object, reader),
    ...(kind.forget && { forget: kind.forget }),
    actions: {
      ...kind.actions,
      ...attemptActions({ blockedBy: blockedBy(kind, volumeEvent), firstError: kind.firstError, refs: kind.refs }),
    },
    ensures: kind.ensures,
  });
}

/**
 * Why it gave up. Giving up at once counts no failure; the reason is the last error, or the blocker until one is
 * recorded.
 */
function gaveUpOf<Seen>({ status }: Provisioned, blockers: readonly Blocker<Seen>[], seen: Seen): Tried['gaveUp'] {
  const { gaveUp = false, reconcileFailures = 0 } = status?.reconcileRetry ?? {};
  if (!gaveUp) return null;
  if (reconcileFailures > 0) return { by: 'failures' };
  const last = lastErrorOf(status?.provision);
  const why = last === '' ? (blockerAmong(blockers, seen)?.message(seen) ?? nothing) : external(last);
  return { by: 'permanentError', why };
}

/** Whether it gave up and is being retried, until the next pass moves it. */
const isRetried = ({ status }: Provisioned): boolean =>
  status?.phase === 'ProvisionFailed' && status.reconcileRetry?.gaveUp !== true;

/** Whether its machine left a state of rest again and again. */
const flapping = <T extends ProvisionedTypes>(
  { machine: { name, rests } }: ProvisionedKind<T>,
  object: T['object'],
  now: string,
): readonly FoundCause[] =>
  causesOfFlapping(
    { moves: historyOf(object), machine: name, rests: rests.map(({ state }) => state), now: msOf(now) },
    refOf(object),
  );

/** Flapping is reported of what is deployed, in and out of Ready, where no failure explains it. */
const isFlappingReported = (ofReady: readonly FoundCause[], { status }: Verdict): boolean =>
  !ofReady.some((cause) => severityOf(cause) === 'failure') && (status === 'True' || ofReady.length > 0);

const readyBy = <T extends ProvisionedTypes>(
  kind: ProvisionedKind<T>,
  volumeEvent: VolumeEventOf,
): ProvisionedParts<T>['readyOf'] => {
  const stateOf = lensOf(kind);
  return oncePerPass((object: T['object'], deriving: Deriving): Evaluated<T['seen']> => {
    const { reader, now, failure } = deriving;
    const gate = kind.deploy?.gateOf(object) ?? 'Ungated';
    const seen = kind.observe(object, { reader, gate, now: msOf(now), failure });
    const state = stateOf(object);
    const gaveUp = gaveUpOf(object, kind.blockers, seen);
    const input = {
      ...seen,
      ...kind.beside(object, state, deriving),
      leaving: kind.deletionPhases[state] ?? null,
      retrying: isRetried(object),
      gaveUp,
    };
    const row = firstHeld('Ready', kind.ready, input);
    const ready = verdictOf('Ready', row, input);
    return {
      seen,
      conditions: withCondition(object, ready, now),
      findings: () => {
        const withPods = { ...deriving, volumeEvent };
        const ofReady = findings(kind.ready, input, causeInputOf(kind, object, seen, withPods), row);
        return {
          found: [
            ...ofReady,
            ...(gaveUp === null && isFlappingReported(ofReady, ready) ? flapping(kind, object, now) : []),
            ...(kind.moreCauses?.(object, seen, withPods) ?? []),
          ],
          gaveUp: gaveUp !== null,
        };
      },
    };
  });
};

/** Builds the machines of a provisioned kind, with attempts, counted failures, the Ready condition and its causes. */
export function provisioned<T extends ProvisionedTypes>(kind: ProvisionedKind<T>): ProvisionedParts<T> {
  const volumes = volumeEvents<T['object']>((object, reader) => kind.pods(object, reader));
  return {
    retry: retryOf(kind),
    lifecycle: machineOf(kind, volumes.of),
    ensures: {
      ...(kind.owned.reapply && { contested: reapplied(kind.owned.reapply) }),
      settled: kind.owned.settled,
      volumeEvents: volumes.ensure,
    },
    readyOf: readyBy(kind, volumes.of),
  };
}
