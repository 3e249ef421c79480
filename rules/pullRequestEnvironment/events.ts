import type { PullRequestEnvironmentEvent, PullRequestEnvironmentState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { messageOf } from '../verdict.ts';
import { type PullRequestFacts, type PullRequestLimits, pullRequestLimits } from './facts.ts';
import { environmentName } from './name.ts';
import { pullRequestNote } from './note.ts';
import { isDraft, isFork, isFull, isTargetBuilt, opens } from './preconditions.ts';
import { closed } from '../words.ts';

type State = PullRequestEnvironmentState | Absence;
type Event = PullRequestEnvironmentEvent['type'];

const rule = ruleFor<PullRequestFacts, State, Event>();

const noteMessage = (facts: PullRequestFacts) => messageOf('Note', pullRequestNote, facts);
const isExternal = ({ throughApplication }: PullRequestFacts) => !throughApplication;

const answers = ['hostEvent'] as const;
const atOnce = { afterMs: 0 };
const requeue = { afterMs: 5_000 };

/** Why an event opens nothing. */
const refusal = ({ id, when, then }: Pick<EventRule<PullRequestFacts, State, Event>, 'id' | 'when' | 'then'>) =>
  rule({ id, in: ['(none)'], answers, refuses: true, when, then, says: noteMessage });

/** Whether the project still has the environment of this pull request's entry. */
const isThere = ({ open, number, repository, environments }: PullRequestFacts) =>
  open.some(
    (entry) => entry.number === number && entry.repository === repository && environments.includes(entry.environment),
  );

/** The events of a pull request with these limits, in the order of specs/tables/pullRequestEnvironment.md. */
export const pullRequestEnvironmentEventsWith = (
  limits: PullRequestLimits,
): readonly EventRule<PullRequestFacts, State, Event>[] => [
  refusal({ id: 'origin-refused', when: isExternal, then: 'originRefused' }),
  refusal({ id: 'nothing-to-open', when: (facts) => !opens(facts), then: 'nothingToOpen' }),
  refusal({ id: 'feature-off', when: ({ enabled }) => !enabled, then: 'featureOff' }),
  refusal({ id: 'project-unlinked', when: ({ link }) => link !== 'linked', then: 'projectUnlinked' }),
  refusal({ id: 'target-not-built', when: (facts) => !isTargetBuilt(facts), then: 'targetNotBuilt' }),
  refusal({ id: 'fork-ignored', when: isFork, then: 'forkIgnored' }),
  refusal({ id: 'draft-skipped', when: isDraft, then: 'draftSkipped' }),
  refusal({ id: 'limit-reached', when: (facts) => isFull(facts, limits), then: 'limitReached' }),
  refusal({
    id: 'name-unavailable',
    when: (facts) => environmentName(facts, limits).is === 'none',
    then: 'nameUnavailable',
  }),
  rule({
    id: 'number-shared',
    in: ['(none)'],
    answers,
    when: (facts) => environmentName(facts, limits).is === 'long',
    then: 'numberShared',
    says: noteMessage,
    look: atOnce,
  }),
  rule({
    id: 'environment-opened',
    in: ['(none)'],
    answers,
    when: () => true,
    then: 'environmentOpened',
    says: noteMessage,
    look: atOnce,
  }),

  rule({
    id: 'environment-gone',
    in: ['Open'],
    finds: true,
    when: (facts) => !isThere(facts),
    then: 'environmentGone',
    says: () => closed('environment removed from the project'),
  }),
  rule({
    id: 'removed',
    in: ['Closing'],
    when: ({ removed }) => removed,
    then: 'removed',
    says: () => closed('all resources of the environment deleted'),
  }),
  rule({
    id: 'origin-refused-later',
    in: ['Opening', 'Open', 'Closing'],
    answers,
    refuses: true,
    when: isExternal,
    then: 'originRefused',
    says: noteMessage,
    look: atOnce,
  }),
  rule({
    id: 'closed',
    in: ['Opening', 'Open'],
    answers,
    when: ({ event }) => event === 'closed',
    then: 'closed',
    says: () => closed('pull request closed; deleting its environment'),
    look: atOnce,
  }),
  rule({
    id: 'pushed',
    in: ['Opening', 'Open'],
    answers,
    when: ({ event }) => event === 'pushed',
    then: 'pushed',
    says: () => closed('pull request updated; rebuilding its services'),
    look: atOnce,
  }),
  rule({
    id: 'already-open',
    in: ['Opening', 'Open'],
    answers,
    when: () => true,
    then: 'alreadyOpen',
    says: () => closed('the environment of this pull request is open already'),
    look: atOnce,
  }),
  rule({
    id: 'already-closing',
    in: ['Closing'],
    answers,
    when: () => true,
    then: 'alreadyClosing',
    says: () => closed('the environment of this pull request is being removed'),
    look: atOnce,
  }),
  rule({
    id: 'copied',
    in: ['Opening'],
    when: ({ copied }) => copied,
    then: 'copied',
    says: () => closed('the environment is there, with copies of all that is copied'),
  }),
  rule({
    id: 'copies-awaited',
    in: ['Opening'],
    when: () => true,
    then: 'copiesAwaited',
    says: () => closed('the environment is being made'),
    look: requeue,
  }),
  rule({
    id: 'removal-awaited',
    in: ['Closing'],
    when: () => true,
    then: 'removalAwaited',
    says: () => closed('the environment is being removed'),
    look: requeue,
  }),
];

/** The events of a pull request: the first rule that holds decides. */
export const pullRequestEnvironmentEvents = pullRequestEnvironmentEventsWith(pullRequestLimits);
