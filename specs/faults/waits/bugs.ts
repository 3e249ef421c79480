import * as exits from '../../../http/cli/exits.ts';
import * as status from '../../../rules/deployWait/status.ts';
import { type Replacement, replaced } from '../bugs/bug.ts';
import type { ClockWrapper } from './play.ts';

/** A mistake that a wait is easily made with. */
interface WaitBug {
  readonly name: string;
  readonly plant?: Replacement;
  readonly around?: ClockWrapper;
}

export const waitBugs: readonly WaitBug[] = [
  {
    name: 'the state is read instead of whether the newest deploy is ready',
    plant: replaced(status, 'isDone', () => (facts) => status.statusOf(facts)?.state === 'ready'),
  },
  {
    name: 'changes that wait are not looked at',
    plant: replaced(status, 'isDone', () => (facts) => status.statusOf(facts)?.ready === true),
  },
  { name: 'the deadline is kept by the clock on the wall', around: (clock) => ({ ...clock, monotonic: clock.now }) },
  {
    name: 'a cancelled build is taken for a failed one',
    plant: replaced(status, 'phaseOf', (original) => (facts) => {
      const phase = original(facts);
      return phase === 'Cancelled' ? 'Failed' : phase;
    }),
  },
  {
    name: 'the last failure decides instead of the first',
    plant: replaced(exits, 'firstExit', () => (before, next) => (next === 0 ? before : next)),
  },
  {
    name: 'a busy API is taken for a refusal',
    plant: replaced(
      status,
      'refusalOf',
      () =>
        ({ answer }) =>
          answer.is === 'refused' ? answer.code : null,
    ),
  },
  {
    name: 'the wait has no end',
    plant: replaced(status, 'deadlineOf', () => () => Infinity),
  },
];
