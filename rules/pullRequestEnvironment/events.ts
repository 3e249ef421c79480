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

const noteSays = (facts: PullRequestFacts) => messageOf('Note', pullRequestNote, facts);
const isForeign = ({ throughApplication }: PullRequestFacts) => !throughApplication;

/** Whether the project still has the environment of this pull request's entry. */
const isThere = ({ open, number, repository, environments }: PullRequestFacts) =>
  open.some(
    (entry) => entry.number === number && entry.repository === repository && environments.includes(entry.environment),
  );

/** The events of a pull request with these limits, in the order of specs/tables/pullRequestEnvironment.md. */
export const pullRequestEnvironmentEventsWith = (
  limits: PullRequestLimits,
): readonly EventRule<PullRequestFacts, State, Event>[] => [
  rule({ id: 'origin-refused', in: ['(none)'], when: isForeign, then: 'originRefused', says: noteSays }),
  rule({
    id: 'nothing-to-open',
    in: ['(none)'],
    when: (facts) => !opens(facts),
    then: 'nothingToOpen',
    says: noteSays,
  }),
  rule({ id: 'feature-off', in: ['(none)'], when: ({ enabled }) => !enabled, then: 'featureOff', says: noteSays }),
  rule({
    id: 'project-unlinked',
    in: ['(none)'],
    when: ({ link }) => link !== 'linked',
    then: 'projectUnlinked',
    says: noteSays,
  }),
  rule({
    id: 'target-not-built',
    in: ['(none)'],
    when: (facts) => !isTargetBuilt(facts),
    then: 'targetNotBuilt',
    says: noteSays,
  }),
  rule({ id: 'fork-ignored', in: ['(none)'], when: isFork, then: 'forkIgnored', says: noteSays }),
  rule({ id: 'draft-skipped', in: ['(none)'], when: isDraft, then: 'draftSkipped', says: noteSays }),
  rule({
    id: 'limit-reached',
    in: ['(none)'],
    when: (facts) => isFull(facts, limits),
    then: 'limitReached',
    says: noteSays,
  }),
  rule({
    id: 'name-unavailable',
    in: ['(none)'],
    when: (facts) => environmentName(facts, limits).is === 'none',
    then: 'nameUnavailable',
    says: noteSays,
  }),
  rule({
    id: 'number-shared',
    in: ['(none)'],
    when: (facts) => environmentName(facts, limits).is === 'long',
    then: 'numberShared',
    says: noteSays,
  }),
  rule({ id: 'environment-opened', in: ['(none)'], when: () => true, then: 'environmentOpened', says: noteSays }),

  rule({
    id: 'environment-gone',
    in: ['Open'],
    when: (facts) => !isThere(facts),
    then: 'environmentGone',
    says: () => closed('the environment was taken out of the project: its entry goes'),
  }),
  rule({
    id: 'origin-refused-later',
    in: ['Open'],
    when: (facts) => isForeign(facts) && facts.event !== 'none',
    then: 'originRefused',
    says: noteSays,
  }),
  rule({
    id: 'closed',
    in: ['Open'],
    when: ({ event }) => event === 'closed',
    then: 'closed',
    says: () => closed('the pull request closed: its environment and everything in it is removed'),
  }),
  rule({
    id: 'pushed',
    in: ['Open'],
    when: ({ event }) => event === 'pushed',
    then: 'pushed',
    says: () => closed('the pull request received a push: its services build again'),
  }),
  rule({
    id: 'already-open',
    in: ['Open'],
    when: ({ event }) => event !== 'none',
    then: 'alreadyOpen',
    says: () => closed('the environment of this pull request is open already'),
  }),
];

/** The events of a pull request: the first rule that holds decides. */
export const pullRequestEnvironmentEvents = pullRequestEnvironmentEventsWith(pullRequestLimits);
