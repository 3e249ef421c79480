import type { BuildRuleId } from '../../../rules/build/events.ts';
import type { ProjectReadyRuleId } from '../../../rules/projectReady/events.ts';
import type { ProvisionRetryRuleId } from '../../../rules/provisionRetry/events.ts';
import type { Explanation, Transitions } from '../../api.ts';

/** A rule with its machine, as hints are found by it: made from the rules, so that a renamed one does not compile. */
export type HintedRule =
  `build ${BuildRuleId}` | `projectReady ${ProjectReadyRuleId}` | `provisionRetry ${ProvisionRetryRuleId}`;

/** Hints by rule. */
type RuleHints = Readonly<Partial<Record<HintedRule, string>>>;

/** What a person can do, by the machine and the rule that led to a state. */
const byRule: RuleHints = {
  'build no-registry': 'Set the registry of the platform, or one for this service.',
  'build context-leaves': 'Set a root directory inside the repository.',
  'build no-connection': 'Connect the project to its Git host.',
  'build connection-not-ready': 'Open the Git host connection and correct what it reports.',
  'build commit-refused': 'Push the branch to the repository, or grant the Git host app access to it.',
  'build checks-refused': 'Grant the Git host app access to the checks of the repository.',
  'build check-failed': 'Fix the failed check and push again.',
  'build job-failed': 'Open the log at its first error, then push a fix or rebuild.',
  'build job-vanished': 'Rebuild to start the run again.',
  'build digest-missing': 'Rebuild; if it recurs, open the log.',
  'projectReady cluster-missing': 'Create the cluster, or create the project on one that exists.',
  'projectReady cluster-not-ready': 'Bring the cluster back; the project continues automatically.',
  'projectReady cluster-changed': 'Set the cluster back: a project never changes its cluster.',
  'projectReady environment-doubled': 'Remove the second entry of the environment.',
  'projectReady environment-invalid': 'Rename the environment with lowercase letters, digits and hyphens.',
  'projectReady namespace-invalid': 'Choose a shorter name for the environment.',
  'projectReady namespace-taken': 'Choose another name for the environment, or remove the namespace.',
  'projectReady variable-missing': 'Set the missing shared variable.',
  'projectReady gave-up': 'Correct the project settings; saving them retries.',
  'provisionRetry permanent-error': 'Correct the settings and deploy; retrying will not help.',
  'provisionRetry fifth-failure': 'Remove the cause, then press Retry.',
  'provisionRetry lasted-too-long': 'Remove the cause, then press Retry.',
};

/** The same of what is deployed on every change. */
const ungatedByRule: RuleHints = {
  'provisionRetry permanent-error': 'Correct the settings; retrying will not help.',
};

/** What to do about the state of an instance: by the rule that holds in it, or else by the one that led to it. */
export function hintOf({ machine, state, tried }: Explanation, moves: Transitions['items'], isUngated = false): string {
  const held = tried.filter((one) => one.held === 'yes').map(({ rule }) => rule);
  const led = moves.filter((move) => move.machine === machine && move.to === state).toSorted((a, b) => b.seq - a.seq);
  const rules = [...held, ...led.slice(0, 1).flatMap(({ rule }) => rule ?? [])];
  return rules.map((rule) => hintOfRule(`${machine} ${rule}`, isUngated)).find((hint) => hint !== undefined) ?? '';
}

const hintIn = (hints: RuleHints, rule: string): string | undefined =>
  Object.hasOwn(hints, rule) ? hints[rule as HintedRule] : undefined;

const hintOfRule = (rule: string, isUngated: boolean): string | undefined =>
  (isUngated ? hintIn(ungatedByRule, rule) : undefined) ?? hintIn(byRule, rule);
