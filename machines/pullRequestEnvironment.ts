import { setup } from 'xstate';

export type PullRequestEnvironmentEvent = {
  readonly type:
    | 'alreadyOpen'
    | 'closed'
    | 'draftSkipped'
    | 'environmentGone'
    | 'environmentOpened'
    | 'featureOff'
    | 'forkIgnored'
    | 'limitReached'
    | 'nameUnavailable'
    | 'nothingToOpen'
    | 'numberShared'
    | 'originRefused'
    | 'projectUnlinked'
    | 'pushed'
    | 'targetNotBuilt';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = { rebuildCopies: named };
export type PullRequestEnvironmentAction = keyof typeof actions;

/** The life of a pull request environment: the arrows of specs/tables/pullRequestEnvironment.md, no more. */
export const pullRequestEnvironment = setup({
  types: { events: {} as PullRequestEnvironmentEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'pullRequestEnvironment',
  initial: 'Open',
  states: {
    Open: {
      meta: { ensures: [] },
      on: {
        originRefused: { target: 'Open' },
        pushed: { target: 'Open', actions: 'rebuildCopies' },
        alreadyOpen: { target: 'Open' },
      },
    },
  },
});

export type PullRequestEnvironmentState = 'Open';
