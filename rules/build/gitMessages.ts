import type { GitAnswer } from '../gitAnswer.ts';
import { isoTime } from '../time.ts';
import { hidden, nothing, open, sentence, toViewers } from '../words.ts';
import { checksVerdict } from './checks.ts';
import type { ChecksSeen, ConnectionSeen } from './facts.ts';

export type Answer = GitAnswer<unknown> | { readonly is: 'notAwaited' };

/** The message about a Git host that gives no response at the moment. */
export const silence = (answer: Answer) => {
  if (answer.is === 'limited')
    return sentence('Git host limits the rate until {until}', { until: toViewers(isoTime(answer.until)) });
  return answer.is === 'silent' && answer.why !== ''
    ? sentence('Git host does not answer: {why}', { why: hidden(answer.why) })
    : open('Git host does not answer');
};

const phrases: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Entity',
};
/** The status text of the Git host may be anything. */
const statusSaid = ({ code, status }: Extract<Answer, { readonly is: 'refused' }>) =>
  [`${code}`, `${code} ${phrases[code]}`].includes(status) ? toViewers(status) : hidden(status);

/** The message about a Git host that refused. */
export const refusal = (answer: Answer) =>
  sentence('Git host API returned {status}', { status: answer.is === 'refused' ? statusSaid(answer) : nothing });

/** The permission of the Git host application, which an older registration did not request (000 Errors). */
export const checksNeed = open(
  'reading check runs needs the Checks: Read permission of the Git host application; add it and accept it on the installation',
);

/** The message names the missing permission. */
export const checksRefusal = (answer: Answer) =>
  answer.is === 'refused' && answer.code === 403
    ? sentence('{refusal}: {checksNeed}', { refusal: refusal(answer), checksNeed })
    : refusal(answer);

interface Checked {
  readonly checks: { readonly value: ChecksSeen };
}

/** The verdict over the checks of a commit; undefined while they are not known. */
export const verdict = (checks: ChecksSeen) => (checks.is === 'found' ? checksVerdict(checks.value) : undefined);

/** Names the check that failed the build. */
export const checkMessage = ({ checks }: Checked) => {
  const found = verdict(checks.value);
  return found?.is === 'failed'
    ? sentence('GitHost check "{check}" concluded {conclusion}', {
        check: toViewers(found.name),
        conclusion: toViewers(found.conclusion),
      })
    : nothing;
};

/** Counts the checks that have not completed. */
export const pendingMessage = ({ checks }: Checked) => {
  const found = verdict(checks.value);
  return found?.is === 'pending' && found.of > 0
    ? sentence('waiting for checks: {completed} of {of} completed', {
        completed: toViewers(found.completed),
        of: toViewers(found.of),
      })
    : open('waiting for checks: the commit has no check run yet');
};

const standings = { ready: 'is ready', absent: 'was not found', notReady: 'is not ready', noToken: 'has no token' };

/** Whether a connection can be used. */
export const connectionIs = (name: string, is: ConnectionSeen) =>
  sentence('Git host connection "{connectionRef}" {connection}', {
    connectionRef: hidden(name),
    connection: toViewers(standings[is]),
  });
