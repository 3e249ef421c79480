import type { BuildEvent, BuildState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { BuildFacts, ChecksSeen } from './facts.ts';
import { digestMissing, shortCommit as short } from './commit.ts';
import {
  type Answer,
  checkMessage,
  checksRefusal,
  connectionIs,
  pendingMessage,
  refusal,
  silence,
  verdict,
} from './gitMessages.ts';
import { triggers, underWay } from './triggers.ts';
import { blockerMessage } from './blockers.ts';
import {
  connectionMessage,
  contextLeaves,
  contextMessage,
  lacksConnection,
  noRegistry,
  registryMessage,
} from './settingFaults.ts';
import { open, sentence, toViewers } from '../words.ts';

type Place = BuildState | Absence;
const rule = ruleFor<BuildFacts, Place, BuildEvent['type']>();
const always = () => true;
const inMs = (afterMs: number) => ({ afterMs });
const now = inMs(0);

const beforeJob = ['Pending', 'WaitingForCI', 'FailedBeforeJob'] as const;
const waiting = ['Pending', 'WaitingForCI'] as const;
const failed = ['FailedBeforeJob'] as const;

const isSilent = (answer: Answer) => answer.is === 'silent' || answer.is === 'limited';
const limitEnds = (answer: Answer) => (answer.is === 'limited' ? answer.until : undefined);
const aCheckFailed = (facts: { readonly checks: { readonly value: ChecksSeen } }) =>
  verdict(facts.checks.value)?.is === 'failed';

const jobCreatedMessage = ({ sourceRevision }: Pick<BuildFacts, 'sourceRevision'>) =>
  sentence('the builder Job of commit {sourceRevision} was created', {
    sourceRevision: toViewers(short(sourceRevision)),
  });
const jobFailedMessage = () => open('builder Job failed');
const rests = open('only a push, a rebuild or a reset runs it again');

/**
 * The order is that of the documents (decision 35): cancel, running Jobs, settings, connection, commit, checks, claim,
 * Job.
 */
export const buildEvents = [
  ...triggers,
  rule({
    id: 'cancel-spent',
    in: ['Pending'],
    when: ({ cancelRequested, resetFrom }) => cancelRequested && resetFrom === 'Cancelled',
    then: 'cancelSpent',
    says: () => open('cancel completed; restarting build'),
    look: now,
  }),
  rule({
    id: 'cancel-requested',
    in: underWay,
    when: ({ cancelRequested }) => cancelRequested,
    then: 'cancelFound',
    says: () => open('cancelRequested is set'),
  }),

  // Running Jobs precede every setting: a claimed run that has its Job continues.
  rule({
    id: 'own-job',
    in: beforeJob,
    needs: ['job'],
    when: ({ run, job }) => run !== null && job.value.is === 'present' && job.value.run === run,
    then: 'ownJobFound',
    says: () => open('the Job of this run exists'),
    look: inMs(5_000),
  }),
  rule({
    id: 'leftover-job',
    in: ['Pending'],
    needs: ['job'],
    when: ({ phase, job }) => phase === '' && job.value.is === 'present',
    then: 'leftoverJobFound',
    says: () => open('a Job of this name is left over and is being deleted'),
    look: inMs(5_000),
  }),
  rule({
    id: 'other-job',
    in: ['Pending'],
    needs: ['job'],
    when: ({ job }) => job.value.is === 'present',
    then: 'otherJobFound',
    says: () => open('the Job of an earlier run is being deleted'),
    look: inMs(5_000),
  }),

  rule({ id: 'no-registry', in: waiting, when: noRegistry, then: 'registryMissing', says: registryMessage }),
  rule({ id: 'still-no-registry', in: failed, when: noRegistry, then: 'settingStayedWrong', says: registryMessage }),
  rule({ id: 'context-leaves', in: waiting, when: contextLeaves, then: 'contextEscaped', says: contextMessage }),
  rule({
    id: 'context-still-leaves',
    in: failed,
    when: contextLeaves,
    then: 'settingStayedWrong',
    says: contextMessage,
  }),
  rule({ id: 'no-connection', in: waiting, when: lacksConnection, then: 'connectionUnset', says: connectionMessage }),
  rule({
    id: 'still-no-connection',
    in: failed,
    when: lacksConnection,
    then: 'settingStayedWrong',
    says: connectionMessage,
  }),

  rule({
    id: 'connection-not-ready',
    in: beforeJob,
    needs: ['connection'],
    when: ({ connectionRef, connection }) => connectionRef !== '' && connection.value !== 'ready',
    then: 'connectionNotReady',
    says: ({ connectionRef, connection }) => connectionIs(connectionRef, connection.value),
    look: inMs(15_000),
  }),

  rule({
    id: 'commit-refused',
    in: beforeJob,
    needs: ['commit'],
    when: ({ commit }) => commit.value.is === 'refused',
    then: 'gitHostRefused',
    says: ({ commit }) => refusal(commit.value),
    look: inMs(30_000),
  }),
  rule({
    id: 'commit-silent',
    in: waiting,
    needs: ['commit'],
    when: ({ commit }) => isSilent(commit.value),
    then: 'gitHostSilent',
    says: ({ commit }) => silence(commit.value),
    look: { afterMs: 15_000, reset: ({ commit }) => limitEnds(commit.value) },
  }),
  // A Failed build without a Job stays Failed, so that the phase does not flap (decision 39).
  rule({
    id: 'commit-still-silent',
    in: failed,
    needs: ['commit'],
    when: ({ commit }) => isSilent(commit.value),
    then: 'gitHostSilent',
    says: ({ commit }) => silence(commit.value),
    look: { afterMs: 30_000, reset: ({ commit }) => limitEnds(commit.value) },
  }),
  rule({
    id: 'commit-resolved',
    in: beforeJob,
    needs: ['commit'],
    when: ({ sourceRevision, commit }) => sourceRevision === '' && commit.value.is === 'found',
    then: 'commitResolved',
    says: ({ commit }) =>
      sentence('commit {commit} is to be built', {
        commit: toViewers(commit.value.is === 'found' ? short(commit.value.value) : ''),
      }),
    look: now,
  }),

  rule({
    id: 'checks-awaited',
    in: ['Pending'],
    when: ({ waitForCI }) => waitForCI,
    then: 'checksAwaited',
    says: ({ sourceRevision }) =>
      sentence('waits for the checks of commit {sourceRevision}', { sourceRevision: toViewers(short(sourceRevision)) }),
    look: now,
  }),
  rule({
    id: 'checks-refused',
    in: ['WaitingForCI', 'FailedBeforeJob'],
    needs: ['checks'],
    when: ({ checks }) => checks.value.is === 'refused',
    then: 'gitHostRefused',
    says: ({ checks }) => checksRefusal(checks.value),
    look: inMs(30_000),
  }),
  rule({
    id: 'checks-silent',
    in: ['WaitingForCI'],
    needs: ['checks'],
    when: ({ checks }) => isSilent(checks.value),
    then: 'gitHostSilent',
    says: ({ checks }) => silence(checks.value),
    look: { afterMs: 15_000, reset: ({ checks }) => limitEnds(checks.value) },
  }),
  rule({
    id: 'checks-still-silent',
    in: failed,
    needs: ['checks'],
    when: ({ checks }) => isSilent(checks.value),
    then: 'gitHostSilent',
    says: ({ checks }) => silence(checks.value),
    look: { afterMs: 30_000, reset: ({ checks }) => limitEnds(checks.value) },
  }),
  rule({
    id: 'check-failed',
    in: ['WaitingForCI'],
    needs: ['checks'],
    when: aCheckFailed,
    then: 'checkFailed',
    says: checkMessage,
    look: inMs(30_000),
  }),
  rule({
    id: 'check-still-failed',
    in: failed,
    needs: ['checks'],
    when: aCheckFailed,
    then: 'checkStayedFailed',
    says: checkMessage,
    look: inMs(30_000),
  }),
  rule({
    id: 'checks-pending',
    in: ['WaitingForCI', 'FailedBeforeJob'],
    needs: ['checks'],
    when: ({ checks }) => verdict(checks.value)?.is === 'pending',
    then: 'checksPending',
    says: pendingMessage,
    look: inMs(15_000),
  }),

  rule({
    id: 'start-cleared',
    in: beforeJob,
    when: ({ run }) => run === null,
    then: 'startCleared',
    says: () => open('everything is ready: the run is claimed'),
    look: now,
  }),
  rule({
    id: 'job-created',
    in: ['Pending'],
    when: always,
    then: 'jobCreated',
    says: jobCreatedMessage,
    look: inMs(5_000),
  }),
  rule({
    id: 'job-created-after-wait',
    in: ['WaitingForCI'],
    when: ({ waitForCI }) => !waitForCI,
    then: 'jobCreated',
    says: jobCreatedMessage,
    look: inMs(5_000),
  }),
  rule({
    id: 'checks-passed',
    in: ['WaitingForCI'],
    when: always,
    then: 'checksPassed',
    says: ({ sourceRevision }) =>
      sentence('every check of commit {sourceRevision} succeeded; the builder Job was created', {
        sourceRevision: toViewers(short(sourceRevision)),
      }),
    look: inMs(5_000),
  }),
  rule({
    id: 'cause-cleared',
    in: failed,
    when: always,
    then: 'causeCleared',
    says: () => open('cause of the failure is gone; builder Job created'),
    look: inMs(5_000),
  }),

  rule({
    id: 'job-vanished',
    in: ['Running'],
    needs: ['job'],
    when: ({ run, job }) => job.value.is === 'absent' || job.value.run !== run,
    then: 'jobVanished',
    says: jobFailedMessage,
  }),
  rule({
    id: 'job-failed',
    in: ['Running'],
    needs: ['job'],
    when: ({ job }) => job.value.is === 'present' && job.value.outcome === 'failed',
    then: 'jobFailed',
    says: jobFailedMessage,
  }),
  rule({
    id: 'job-progressed',
    in: ['Running'],
    needs: ['job'],
    when: ({ job }) => job.value.is === 'present' && job.value.outcome === 'active',
    then: 'jobProgressed',
    says: ({ job, hindrance }) => {
      const retries = job.value.is === 'present' ? job.value.failedPods : 0;
      const runs =
        retries > 0
          ? sentence('the builder Job runs; {retries} of its pods failed', { retries: toViewers(retries) })
          : open('the builder Job runs');
      return hindrance === null
        ? runs
        : sentence('{runs}: {hindrance}', { runs, hindrance: blockerMessage(hindrance) });
    },
    look: inMs(5_000),
  }),
  rule({
    id: 'digest-found',
    in: ['Running'],
    needs: ['digest'],
    when: ({ digest }) => digest.value !== null,
    then: 'digestFound',
    says: ({ digest }) => sentence('pushed {digest}', { digest: toViewers(digest.value ?? '') }),
  }),
  rule({
    id: 'digest-missing',
    in: ['Running'],
    needs: ['digest'],
    when: always,
    then: 'digestMissing',
    says: () => digestMissing,
  }),

  rule({
    id: 'log-archived',
    in: ['Succeeded', 'Failed'],
    needs: ['log'],
    when: ({ log }) => log.value === 'archived',
    then: 'logArchived',
    says: () => open('the log of this run is in the object store'),
  }),
  rule({
    id: 'rests-succeeded',
    in: ['Succeeded'],
    needs: ['log'],
    when: ({ log }) => log.value !== 'waiting',
    then: 'restedSucceeded',
    says: () => open('Build succeeded. Push or rebuild to run it again.'),
  }),
  rule({
    id: 'rests-failed',
    in: ['Failed'],
    when: always,
    then: 'restedFailed',
    says: ({ hindrance }) => {
      return hindrance === null
        ? rests
        : sentence('{hindrance}; {rests}', { hindrance: blockerMessage(hindrance), rests });
    },
  }),
  rule({
    id: 'cancelled-job',
    in: ['Cancelled'],
    needs: ['job'],
    when: ({ job }) => job.value.is === 'present',
    then: 'cancelledJobFound',
    says: () => open('the Job of the cancelled run is being deleted'),
    look: inMs(5_000),
  }),
  rule({
    id: 'rests-cancelled',
    in: ['Cancelled'],
    when: always,
    then: 'restedCancelled',
    says: () => rests,
  }),
] satisfies readonly EventRule<BuildFacts, Place, BuildEvent['type']>[];
