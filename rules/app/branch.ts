import type { ConnectionSeen } from '../build/facts.ts';
import { byState, ruleFor } from '../engine.ts';
import type { Fact } from '../fact.ts';
import type { GitAnswer } from '../gitAnswer.ts';
import { closed, sentence, toViewers } from '../words.ts';

/** The facts about the branch that a service is built from, and about the build for its settings. */
export interface BranchFacts {
  readonly deployed: boolean;
  /** True when the service is built from a branch of a repository, and not pinned to one commit. */
  readonly ofBranch: boolean;
  /** The head that its build last received, found or resolved; empty while there is none. */
  readonly known: string;
  readonly connection: ConnectionSeen;
  /** The head according to the Git host. */
  readonly head: Fact<GitAnswer<string>>;
}

export type BranchEvent =
  'notFollowed' | 'resolvedByBuild' | 'notAsked' | 'refused' | 'silent' | 'headStayed' | 'headMoved';

const rule = ruleFor<BranchFacts, 'Followed', BranchEvent>();
const followed = ['Followed'] as const;
const minute = 60_000;
/** The interval at which the controller reads the head of a branch. */
export const branchCheckMs = 10 * minute;
const nextCheck = { afterMs: branchCheckMs };

/**
 * Detects a branch that moved without a webhook delivery, by comparing its head. The changed files are unknown, so all
 * of them count as changed (decision 130).
 */
export const branchRules = byState([
  rule({
    id: 'draft',
    in: followed,
    when: ({ deployed }) => !deployed,
    then: 'notFollowed',
    says: () => closed('a push does not build a draft'),
  }),
  rule({
    id: 'no-branch',
    in: followed,
    when: ({ ofBranch }) => !ofBranch,
    then: 'notFollowed',
    says: () => closed('no branch is built'),
  }),
  // A build without a commit reads the head itself; a build cancelled before it had one has nothing to compare with.
  rule({
    id: 'not-resolved',
    in: followed,
    when: ({ known }) => known === '',
    then: 'resolvedByBuild',
    says: () => closed('no head of the branch is known yet'),
    look: nextCheck,
  }),
  rule({
    id: 'connection-not-ready',
    in: followed,
    when: ({ connection }) => connection !== 'ready',
    then: 'notAsked',
    says: () => closed('the connection to the Git host is not ready'),
  }),
  rule({
    id: 'head-refused',
    in: followed,
    needs: ['head'],
    when: ({ head }) => head.value.is === 'refused',
    then: 'refused',
    says: () => closed('the Git host names no head of the branch'),
    look: nextCheck,
  }),
  rule({
    id: 'head-silent',
    in: followed,
    needs: ['head'],
    when: ({ head }) => head.value.is !== 'found',
    then: 'silent',
    says: () => closed('the Git host does not answer'),
    look: { afterMs: minute, reset: ({ head }) => (head.value.is === 'limited' ? head.value.until : undefined) },
  }),
  rule({
    id: 'head-stayed',
    in: followed,
    needs: ['head'],
    when: ({ head, known }) => head.value.is === 'found' && head.value.value === known,
    then: 'headStayed',
    says: () => closed('the branch is where it was'),
    look: nextCheck,
  }),
  rule({
    id: 'head-moved',
    in: followed,
    needs: ['head'],
    when: () => true,
    then: 'headMoved',
    says: ({ head }) =>
      sentence('the branch was found at {head}, which no webhook reported', {
        head: toViewers(head.value.is === 'found' ? head.value.value.slice(0, 12) : ''),
      }),
    look: nextCheck,
  }),
]);
