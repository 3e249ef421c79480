import type { FoundCause, ObjectRef } from '../cause/cause.ts';
import { isoTime } from '../time.ts';
import { hidden, joined, type Message, open, sentence, toViewers } from '../words.ts';
import type { CheckRun } from '../gitAnswer.ts';
import type { ChecksSeen } from './facts.ts';
import { type Answer, checksNeed, refusal } from './gitMessages.ts';

/** What a cause about the Git host names. */
export interface AtGitHost {
  readonly self: ObjectRef;
  readonly connection: ObjectRef;
  /** `owner/name`, as the build names it. */
  readonly repository: string;
  /** Whether the Git host would know the repository if anything had been pushed to it. */
  readonly awaitsPush: boolean;
}

type Refused = Extract<Answer, { readonly is: 'refused' }>;

/** The cause of an answer that names no commit; undefined for one that does. */
export function causeOfCommit(answer: Answer, at: AtGitHost): FoundCause | undefined {
  if (answer.is !== 'refused') return causeOfSilence(answer, at);
  if (answer.code === 404 && at.awaitsPush)
    return { reason: 'FirstPushAwaited', message: open('nothing was pushed yet'), on: at.self };
  return refused(answer, at);
}

/** The cause of checks that are not all successful; undefined when they are. */
export function causeOfChecks(checks: ChecksSeen, at: AtGitHost): FoundCause | undefined {
  if (checks.is === 'refused') {
    const cause = refused(checks, at);
    return checks.code === 403
      ? { ...cause, message: sentence('{message}: {checksNeed}', { message: cause.message, checksNeed }) }
      : cause;
  }
  return checks.is === 'found' ? causeOfRuns(checks.value, at.self) : causeOfSilence(checks, at);
}

/** The credentials of a connection are at fault, or what the build names. */
const refused = (answer: Refused, { self, connection, repository }: AtGitHost): FoundCause => ({
  reason: 'GitHostRefused',
  message: sentence('{refusal} for {repository}', { refusal: refusal(answer), repository: hidden(repository) }),
  on: answer.code === 401 || answer.code === 403 ? connection : self,
});

function causeOfSilence(answer: Answer, { connection: on }: AtGitHost): FoundCause | undefined {
  if (answer.is === 'limited') {
    const until = toViewers(isoTime(answer.until));
    return { reason: 'GitHostSilent', message: sentence('the Git host limits the rate until {until}', { until }), on };
  }
  if (answer.is !== 'silent') return undefined;
  const message = sentence('the Git host does not answer: {why}', { why: hidden(answer.why || 'no reason given') });
  return { reason: 'GitHostSilent', message, on };
}

const isCompleted = ({ status }: CheckRun): boolean => status === 'completed';
const names = (runs: readonly CheckRun[]): Message =>
  joined(
    runs.map(({ name }) => sentence('"{name}"', { name: toViewers(name) })),
    ', ',
  );

function causeOfRuns(runs: readonly CheckRun[], on: ObjectRef): FoundCause | undefined {
  const failed = runs.filter((run) => isCompleted(run) && run.conclusion !== 'success');
  if (failed.length > 0)
    return {
      reason: 'ChecksFailed',
      message: joined(
        failed.map(({ name, conclusion }) =>
          sentence('check "{name}" concluded {conclusion}', {
            name: toViewers(name),
            conclusion: toViewers(conclusion ?? 'without a conclusion'),
          }),
        ),
        ', ',
      ),
      on,
    };
  if (runs.length === 0) return { reason: 'ChecksPending', message: open('the commit has no check run yet'), on };
  const waited = runs.filter((run) => !isCompleted(run));
  if (waited.length === 0) return undefined;
  return {
    reason: 'ChecksPending',
    message: sentence('{ended} of {all} checks ended; waiting for {names}', {
      ended: toViewers(runs.length - waited.length),
      all: toViewers(runs.length),
      names: names(waited),
    }),
    on,
  };
}
