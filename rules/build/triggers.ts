import type { BuildEvent, BuildState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { BuildFacts } from './facts.ts';
import { isPushTaken, knownHead } from './pushes.ts';
import { external, open } from '../words.ts';

type Place = BuildState | Absence;
const rule = ruleFor<BuildFacts, Place, BuildEvent['type']>();
const always = () => true;
const now = { afterMs: 0 };

/** The states in which a build can be cancelled. */
export const underWay = ['Pending', 'WaitingForCI', 'Running'] as const;
const every = [...underWay, 'Succeeded', 'Failed', 'FailedBeforeJob', 'Cancelled', 'Unrecognised'] as const;

/** True for a push that is delivered twice, or that was handled since it was found. */
const isTaken = ({ asked, pushes, sourceRevision }: BuildFacts) =>
  asked?.is === 'push' &&
  (isPushTaken(pushes, asked) || (asked.over !== null && knownHead(pushes, sourceRevision) !== asked.over));

/** The rules for the creation of a build, for a phase written externally, and for each command. */
export const triggers = [
  rule({
    id: 'service-seen',
    in: ['(none)'],
    finds: true,
    when: ({ found }) => found === 'Pending',
    then: 'serviceSeen',
    says: () => open('waiting for a build of the current settings'),
    look: now,
  }),
  rule({
    id: 'reset-found',
    in: every,
    finds: true,
    when: ({ found }) => found === 'Pending',
    then: 'resetFound',
    says: () => open('Pending was written from outside'),
    look: now,
  }),
  rule({
    id: 'cancel-written',
    in: underWay,
    finds: true,
    when: ({ found }) => found === 'Cancelled',
    then: 'cancelFound',
    says: () => open('Cancelled was written from outside'),
  }),
  rule({
    id: 'pushed',
    in: every,
    answers: ['push'],
    when: (facts) => !isTaken(facts),
    then: 'pushed',
    says: ({ asked }) => (asked?.is === 'push' ? external(asked.what) : open('pushed')),
    look: now,
  }),
  rule({
    id: 'rebuild-asked',
    in: every,
    answers: ['rebuild'],
    when: always,
    then: 'rebuildAsked',
    says: () => open('rebuild requested'),
    look: now,
  }),
  rule({
    id: 'cancel-asked',
    in: underWay,
    answers: ['cancel'],
    when: always,
    then: 'cancelAsked',
    says: () => open('asked to cancel'),
  }),
] satisfies readonly EventRule<BuildFacts, Place, BuildEvent['type']>[];
