import type { PullRequestEnvironmentEvent, PullRequestEnvironmentState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { PullRequestFacts } from '../../../rules/pullRequestEnvironment/facts.ts';

type Event = PullRequestEnvironmentEvent['type'];

/**
 * Decision 132: `pr-<number>` if it is free, otherwise with the repository's name; at most 63 characters with the
 * project's.
 */
function naming({ number, repository, project, environments }: PullRequestFacts): 'short' | 'long' | 'none' {
  const fits = (name: string) => `${project}-${name}`.length <= 63;
  const short = `pr-${number}`;
  if (!fits(short)) return 'none';
  if (environments.every((name) => name !== short)) return 'short';
  const [, name = repository] = repository.split('/');
  const letters = Array.from(name.toLowerCase(), (each) => (/[a-z0-9]/.test(each) ? each : '-'));
  while (letters[0] === '-') letters.shift();
  while (letters.length > 0 && !fits(`${short}-${letters.join('')}`)) letters.pop();
  while (letters.at(-1) === '-') letters.pop();
  if (letters.length === 0) return 'none';
  return environments.includes(`${short}-${letters.join('')}`) ? 'none' : 'long';
}

/** Document 001, prEnvironments: the preconditions, in their order. */
function unmet(facts: PullRequestFacts): Event | null {
  const { repository, targetBranch, headRepository, baseServices } = facts;
  const is = (other: string | null) => other?.toLowerCase() === repository.toLowerCase();
  if (!facts.enabled) return 'featureOff';
  if (facts.link !== 'linked') return 'projectUnlinked';
  if (baseServices.filter((each) => is(each.repository) && each.branch === targetBranch).length === 0)
    return 'targetNotBuilt';
  if (!is(headRepository)) return 'forkIgnored';
  return facts.draft && ['opened', 'reopened', 'pushed'].includes(facts.event) ? 'draftSkipped' : null;
}

/** Document 001, prEnvironments: the effect of an event on a pull request without an environment. */
function begun(facts: PullRequestFacts): Event {
  if (!facts.throughApplication) return 'originRefused';
  if (!['opened', 'reopened', 'readyForReview', 'pushed'].includes(facts.event)) return 'nothingToOpen';
  const why = unmet(facts);
  if (why !== null) return why;
  if (facts.open.length + 1 > (facts.maxOpen ?? 5)) return 'limitReached';
  return { short: 'environmentOpened', long: 'numberShared', none: 'nameUnavailable' }[naming(facts)] as Event;
}

/** Whether the environment of the entry was taken out of the project. */
function isGone({ open, number, repository, environments }: PullRequestFacts): boolean {
  const own = open.filter((entry) => entry.number === number && entry.repository === repository);
  return !own.some(({ environment }) => environments.includes(environment));
}

/** Document 001, prEnvironments, written down a second time: what happened to a pull request. */
export function documents(state: PullRequestEnvironmentState | Absence, facts: PullRequestFacts): Event | null {
  const { asked, event, throughApplication } = facts;
  if (state === '(none)') return asked === null ? null : begun(facts);
  if (state === 'Open' && isGone(facts)) return 'environmentGone';
  if (asked === null) {
    if (state === 'Opening') return facts.copied ? 'copied' : 'copiesAwaited';
    if (state === 'Closing') return facts.removed ? 'removed' : 'removalAwaited';
    return null;
  }
  if (!throughApplication) return 'originRefused';
  if (state === 'Closing') return 'alreadyClosing';
  if (event === 'closed') return 'closed';
  return event === 'pushed' ? 'pushed' : 'alreadyOpen';
}

const noteOf: Readonly<Partial<Record<Event, string>>> = {
  originRefused: 'GIT-019',
  nothingToOpen: 'GIT-018',
  featureOff: 'GIT-036',
  targetNotBuilt: 'GIT-020',
  forkIgnored: 'GIT-021',
  draftSkipped: 'GIT-025',
  limitReached: 'GIT-024',
  nameUnavailable: 'GIT-010a',
  numberShared: 'GIT-010',
  environmentOpened: 'GIT-009',
};

/** The text of the note, by the id of its row. */
export const documentsOfNote = (facts: PullRequestFacts): string =>
  noteOf[begun(facts)] ?? (facts.link === 'none' ? 'GIT-022' : 'GIT-022a');
