import type { BuildEvent, BuildState } from '../../../machines/names.ts';
import type { BuildAsked, BuildFacts } from '../../../rules/build/facts.ts';
import type { Fact } from '../../../rules/fact.ts';

const valueOf = <T>(fact: Fact<T>): T => {
  if (fact.is !== 'known') throw new Error('the fact is not known');
  return fact.value;
};

/** Whether a path, relative to the repository's root, ever leaves the repository. */
function climbsOut(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/').filter((name) => name !== '' && name !== '.')) {
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

type Happened = BuildEvent['type'];
type ExpectedEvent = Happened | null;
const firstOf = (facts: BuildFacts, ...say: readonly ((facts: BuildFacts) => ExpectedEvent)[]): ExpectedEvent => {
  for (const one of say) {
    const said = one(facts);
    if (said !== null) return said;
  }
  return null;
};

const cancelled = ({ cancelRequested }: BuildFacts): ExpectedEvent => (cancelRequested ? 'cancelFound' : null);
const spentCancel = ({ cancelRequested, resetFrom }: BuildFacts): ExpectedEvent =>
  cancelRequested && resetFrom === 'Cancelled' ? 'cancelSpent' : null;
const ownJob = ({ run, job }: BuildFacts): ExpectedEvent => {
  const seen = valueOf(job);
  return run !== null && seen.is === 'present' && seen.run === run ? 'ownJobFound' : null;
};
const otherJob = ({ job, phase }: BuildFacts): ExpectedEvent => {
  if (valueOf(job).is === 'absent') return null;
  return phase === '' ? 'leftoverJobFound' : 'otherJobFound';
};
const wrongSetting = ({
  registry,
  context,
  buildfile,
  connectionRef,
  revision,
  waitForCI,
}: BuildFacts): ExpectedEvent => {
  if (registry === '') return 'registryMissing';
  if (climbsOut(context) || climbsOut(`${context}/${buildfile}`)) return 'contextEscaped';
  return connectionRef === '' && (revision === '' || waitForCI) ? 'connectionUnset' : null;
};
const stillWrong = (facts: BuildFacts): ExpectedEvent => (wrongSetting(facts) === null ? null : 'settingStayedWrong');
const unconnected = ({ connectionRef, connection }: BuildFacts): ExpectedEvent =>
  connectionRef !== '' && valueOf(connection) !== 'ready' ? 'connectionNotReady' : null;
const noAnswer = ({ is }: { readonly is: string }): ExpectedEvent => {
  if (is === 'refused') return 'gitHostRefused';
  return is === 'found' || is === 'notAwaited' ? null : 'gitHostSilent';
};
const unresolved = ({ commit, sourceRevision }: BuildFacts): ExpectedEvent =>
  noAnswer(valueOf(commit)) ?? (sourceRevision === '' ? 'commitResolved' : null);
const unchecked =
  (failing: Happened) =>
  ({ checks }: BuildFacts): ExpectedEvent => {
    const seen = valueOf(checks);
    if (seen.is !== 'found') return noAnswer(seen);
    const completed = seen.value.filter(({ status }) => status === 'completed');
    if (completed.some(({ conclusion }) => conclusion !== 'success')) return failing;
    return seen.value.length === 0 || completed.length < seen.value.length ? 'checksPending' : null;
  };
const unclaimed = ({ run }: BuildFacts): ExpectedEvent => (run === null ? 'startCleared' : null);
const jobEnded = ({ run, job, digest }: BuildFacts): ExpectedEvent => {
  const seen = valueOf(job);
  if (seen.is === 'absent' || seen.run !== run) return 'jobVanished';
  if (seen.outcome !== 'succeeded') return seen.outcome === 'failed' ? 'jobFailed' : 'jobProgressed';
  return valueOf(digest) === null ? 'digestMissing' : 'digestFound';
};
const archived = ({ log }: BuildFacts): ExpectedEvent => (valueOf(log) === 'archived' ? 'logArchived' : null);

/** The documents and decision 35, written down a second time, state by state: the first entry that applies wins. */
const byState: Readonly<Record<BuildState, (facts: BuildFacts) => ExpectedEvent>> = {
  Pending: (facts) =>
    firstOf(facts, spentCancel, cancelled, ownJob, otherJob, wrongSetting, unconnected, unresolved, ({ waitForCI }) =>
      waitForCI ? 'checksAwaited' : (unclaimed(facts) ?? 'jobCreated'),
    ),
  WaitingForCI: (facts) =>
    firstOf(
      facts,
      cancelled,
      ownJob,
      wrongSetting,
      unconnected,
      unresolved,
      unchecked('checkFailed'),
      unclaimed,
      ({ waitForCI }) => (waitForCI ? 'checksPassed' : 'jobCreated'),
    ),
  FailedBeforeJob: (facts) =>
    firstOf(
      facts,
      ownJob,
      stillWrong,
      unconnected,
      unresolved,
      unchecked('checkStayedFailed'),
      unclaimed,
      () => 'causeCleared',
    ),
  Running: (facts) => firstOf(facts, cancelled, jobEnded),
  Succeeded: (facts) => firstOf(facts, archived, ({ log }) => (valueOf(log) === 'waiting' ? null : 'restedSucceeded')),
  Failed: (facts) => firstOf(facts, archived, () => 'restedFailed'),
  Cancelled: (facts) => (valueOf(facts.job).is === 'present' ? 'cancelledJobFound' : 'restedCancelled'),
  Unrecognised: () => null,
};

const isUnderWay = (state: BuildState) => state === 'Pending' || state === 'WaitingForCI' || state === 'Running';

/** A phase written from outside: a reset of any phase, or a cancel of an unfinished one. */
function written(state: BuildState, found: BuildState): ExpectedEvent {
  if (found === 'Pending') return 'resetFound';
  return found === 'Cancelled' && isUnderWay(state) ? 'cancelFound' : null;
}

/** Commands, and a push: in every state a build starts over; a finished one cannot be cancelled. */
function answered(state: BuildState, facts: BuildFacts, asked: BuildAsked): ExpectedEvent {
  if (asked.is === 'cancel') return isUnderWay(state) ? 'cancelAsked' : null;
  if (asked.is === 'rebuild') return 'rebuildAsked';
  return isTwice(facts, asked) ? null : 'pushed';
}

/** A delivery with a known id, found before it arrived, or found while another one was processed. */
function isTwice(facts: BuildFacts, { head, delivery, over }: Extract<BuildAsked, { readonly is: 'push' }>): boolean {
  const { pushes, sourceRevision } = facts;
  if (pushes.deliveries.some((one) => one === delivery)) return true;
  if (pushes.head === head && pushes.deliveries.includes(`found ${head}`)) return true;
  return over !== null && over !== (pushes.head === '' ? sourceRevision : pushes.head);
}

export function documents(state: BuildState | '(none)', facts: BuildFacts): ExpectedEvent {
  if (state === '(none)') return facts.found === 'Pending' ? 'serviceSeen' : null;
  if (facts.found !== null) return written(state, facts.found);
  return facts.asked === null ? byState[state](facts) : answered(state, facts, facts.asked);
}
