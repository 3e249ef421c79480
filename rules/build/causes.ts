import type { StoredCause } from '../../crds/cause.ts';
import type { BuildState } from '../../machines/names.ts';
import { type FoundCause, foundAgain, type ObjectRef } from '../cause/cause.ts';
import type { CauseReason } from '../cause/reasons.ts';
import type { Condition } from '../condition.ts';
import { isComing } from '../connection/ready.ts';
import { external, type Message, open, sentence, toViewers } from '../words.ts';
import { digestMissing, shortCommit } from './commit.ts';
import type { BuildFacts } from './facts.ts';
import { type AtGitHost, causeOfChecks, causeOfCommit } from './gitCauses.ts';
import { connectionIs } from './gitMessages.ts';
import { causeOfFailedRun, causeOfRunning, type RunEnd } from './runCauses.ts';
import {
  connectionMessage,
  contextLeaves,
  contextMessage,
  lacksConnection,
  noRegistry,
  registryMessage,
} from './settingFaults.ts';

/** What the causes of a build are found in, besides the facts of its rules. */
export interface BuildStanding {
  readonly state: BuildState;
  readonly self: ObjectRef;
  /** Facts that no rule asked for in this pass are not known. */
  readonly facts: Pick<
    BuildFacts,
    | 'registry'
    | 'context'
    | 'buildfile'
    | 'revision'
    | 'sourceRevision'
    | 'pushes'
    | 'waitForCI'
    | 'connectionRef'
    | 'connection'
    | 'commit'
    | 'checks'
    | 'hindrance'
  >;
  readonly repository: string;
  /** Whether the repository is at the Git host of a trial, which knows none before its first push. */
  readonly isAtEmbeddedHost: boolean;
  /** The connection's Ready condition; null before it was checked. */
  readonly connectionReady: Pick<Condition, 'reason' | 'message' | 'params'> | null;
  readonly job: ObjectRef;
  /** Why its Job failed; empty without a failed Job. */
  readonly jobFailure: string;
  readonly failedPods: number;
  readonly end: () => RunEnd | null;
  readonly imageOf: (container: string) => string;
  readonly failureReason: string;
  readonly recorded: readonly StoredCause[];
}

/** Why a build failed or is not done yet; none for one that succeeded. */
export function causesOfBuildIn(standing: BuildStanding): readonly FoundCause[] {
  const { self } = standing;
  switch (standing.state) {
    case 'Pending':
    case 'WaitingForCI':
      return waitingForJob(standing);
    case 'FailedBeforeJob':
      return failedBeforeJob(standing);
    case 'Running':
      return [running(standing)];
    case 'Failed':
      return [failed(standing)];
    case 'Cancelled':
      return [{ reason: 'BuildCancelled', message: open('the build was cancelled'), on: self }];
    case 'Succeeded':
    case 'Unrecognised':
      return [];
  }
}

const isBeing = (sha: string): Message =>
  sha === '' ? open('the build starts') : sentence('commit {sha} is being built', { sha: toViewers(shortCommit(sha)) });

const building = ({ self, facts }: BuildStanding): FoundCause => ({
  reason: 'BuildRunning',
  message: isBeing(facts.sourceRevision),
  on: self,
});

/** What stands in the way of a Job, in the order of the rules; undefined when nothing is known to. */
function beforeJob(standing: BuildStanding): FoundCause | undefined {
  const { facts, self } = standing;
  if (noRegistry(facts)) return { reason: 'RegistryMissing', message: registryMessage(), on: self };
  if (contextLeaves(facts)) return { reason: 'SpecInvalid', message: contextMessage(), on: self };
  if (lacksConnection(facts)) return { reason: 'GitConnectionNotReady', message: connectionMessage(), on: self };
  const at = gitHostOf(standing);
  return (
    unconnected(standing, at.connection) ??
    (facts.commit.is === 'known' ? causeOfCommit(facts.commit.value, at) : undefined) ??
    (facts.checks.is === 'known' ? causeOfChecks(facts.checks.value, at) : undefined)
  );
}

function gitHostOf({ facts, self, repository, isAtEmbeddedHost }: BuildStanding): AtGitHost {
  const { connectionRef, revision, sourceRevision, pushes } = facts;
  return {
    self,
    connection: { kind: 'CoreGitHostConnection', name: connectionRef, namespace: self.namespace },
    repository,
    awaitsPush: isAtEmbeddedHost && revision === '' && sourceRevision === '' && pushes.head === '',
  };
}

function unconnected({ facts, connectionReady: ready }: BuildStanding, on: ObjectRef): FoundCause | undefined {
  const { connectionRef, connection } = facts;
  if (connectionRef === '' || connection.is !== 'known' || connection.value === 'ready') return undefined;
  const message = connectionIs(connectionRef, connection.value);
  if (connection.value !== 'notReady') return { reason: 'GitConnectionNotReady', message, on };
  const why = ready?.params ? { text: ready.message, params: ready.params } : external(ready?.message ?? '');
  return {
    reason: 'GitConnectionNotReady',
    ...(isComing(ready) && { severity: 'waiting' as const }),
    message: why.text === '' ? message : sentence('{message}: {why}', { message, why }),
    on,
  };
}

/** Found in answers of the Git host, which not every pass asks for. */
const byAnswers: readonly string[] = [
  'FirstPushAwaited',
  'GitHostRefused',
  'GitHostSilent',
  'ChecksPending',
  'ChecksFailed',
] satisfies CauseReason[];

/** What the last answers of the Git host said, where this pass did not ask. */
const answeredBefore = ({ recorded }: BuildStanding): readonly FoundCause[] =>
  recorded.filter(({ of, reason }) => of === 'Ready' && byAnswers.includes(reason)).map(foundAgain);

function waitingForJob(standing: BuildStanding): readonly FoundCause[] {
  const found = beforeJob(standing);
  if (found !== undefined) return [found];
  const before = answeredBefore(standing);
  return isAsked(standing) || before.length === 0 ? [building(standing)] : before;
}

const isAsked = ({ facts: { commit, checks } }: BuildStanding): boolean =>
  commit.is === 'known' && checks.is === 'known';

/** While the Git host is silent, nobody knows whether the failure is over. */
function failedBeforeJob(standing: BuildStanding): readonly FoundCause[] {
  const found = beforeJob(standing);
  if (found !== undefined && found.reason !== 'GitHostSilent') return [found];
  const before = answeredBefore(standing);
  return found ? [...before.filter(({ reason }) => reason !== 'GitHostSilent'), found] : before;
}

const running = (standing: BuildStanding): FoundCause =>
  causeOfRunning({
    blocker: standing.facts.hindrance,
    end: standing.end(),
    failedPods: standing.failedPods,
    imageOf: standing.imageOf,
    message: isBeing(standing.facts.sourceRevision),
    self: standing.self,
    job: standing.job,
  });

const reasonsOfEnd: readonly string[] = [
  'BuildFailed',
  'OutOfMemory',
  'PodsRefused',
  'SettingRefused',
] satisfies CauseReason[];

/** A Job and its pods are deleted an hour after their end; what was found before stays until the build starts over. */
function failed({ facts, self, jobFailure, end: endOf, failureReason, recorded }: BuildStanding): FoundCause {
  if (failureReason === digestMissing.text) return withoutDigest(self);
  const end = endOf();
  const before = recorded.find(({ of, reason }) => of === 'Ready' && reasonsOfEnd.includes(reason));
  if (end === null && before !== undefined) return foundAgain(before);
  return causeOfFailedRun(end, { sha: facts.sourceRevision, why: jobFailure, on: self });
}

const withoutDigest = (self: ObjectRef): FoundCause => ({
  reason: 'SettingRefused',
  message: sentence(
    '{message}: container builder wrote no sha256 digest to /dev/termination-log, and no line "Pushed"',
    {
      message: digestMissing,
    },
  ),
  on: self,
});
