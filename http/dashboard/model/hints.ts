import type { Explanation, Transitions } from '../../api.ts';

/** What a person can do, by the machine and the rule that led to a state. */
const byRule: Readonly<Record<string, string>> = {
  'build no-registry': 'Set the registry of the platform, or one for this service.',
  'build context-leaves': 'Set a root directory inside the repository.',
  'build no-connection': 'Connect the project to its Git host.',
  'build connection-not-ready': 'Open the Git host connection and correct what it reports.',
  'build commit-refused': 'Push the branch to the repository, or grant the Git host app access to it.',
  'build checks-refused': 'Grant the Git host app access to the checks of the repository.',
  'build check-failed': 'Fix the failed check and push again.',
  'build job-failed': 'Open the log at its first error, then push a fix or rebuild.',
  'build job-vanished': 'Rebuild to start the run again.',
  'build digest-missing': 'Rebuild, and open the log if it happens again.',
  'projectReady cluster-missing': 'Make the cluster, or make the project anew on one that exists.',
  'projectReady cluster-not-ready': 'Bring the cluster back; the project goes on by itself.',
  'projectReady cluster-changed': 'Set the cluster back: a project never changes its cluster.',
  'projectReady environment-doubled': 'Remove the second entry of the environment.',
  'projectReady environment-invalid': 'Rename the environment with lowercase letters, digits and hyphens.',
  'projectReady namespace-invalid': 'Choose a shorter name for the environment.',
  'projectReady namespace-taken': 'Choose another name for the environment, or remove the namespace.',
  'projectReady variable-missing': 'Set the missing shared variable.',
  'projectReady gave-up': 'Correct the project settings; saving them starts it again.',
  'provisionRetry permanent-error': 'Correct the settings and deploy: trying again cannot mend this.',
  'provisionRetry fifth-failure': 'Remove the cause, then press Retry.',
  'provisionRetry lasted-too-long': 'Remove the cause, then press Retry.',
};

/** What a person can do, by the reason of the Ready condition. */
const byReason: Readonly<Record<string, string>> = {
  ProvisionFailed: 'Correct the settings and deploy, or press Retry once the cause is gone.',
  BuildFailed: 'Open the failed build for its log. Push a fix or rebuild.',
};

/** The same of what is deployed on every change. */
const ungatedByReason: Readonly<Record<string, string>> = {
  ProvisionFailed: 'Correct the settings, which starts it again, or press Retry once the cause is gone.',
};
const ungatedByRule: Readonly<Record<string, string>> = {
  'provisionRetry permanent-error': 'Correct the settings, which starts it again: trying again cannot mend this.',
};

/** What to do about a reason; empty where nothing helps but to wait. */
export const hintOfReason = (reason: string, isUngated = false): string =>
  (isUngated ? ungatedByReason[reason] : undefined) ?? byReason[reason] ?? '';

/** What to do about the state of an instance: by the rule that holds in it, or else by the one that led to it. */
export function hintOf({ machine, state, tried }: Explanation, moves: Transitions['items'], isUngated = false): string {
  const held = tried.filter((one) => one.held === 'yes').map(({ rule }) => rule);
  const led = moves.filter((move) => move.machine === machine && move.to === state).toSorted((a, b) => b.seq - a.seq);
  const rules = [...held, ...led.slice(0, 1).flatMap(({ rule }) => rule ?? [])];
  const hintOfRule = (rule: string) => (isUngated ? ungatedByRule[rule] : undefined) ?? byRule[rule] ?? '';
  return rules.map((rule) => hintOfRule(`${machine} ${rule}`)).find((hint) => hint !== '') ?? '';
}
