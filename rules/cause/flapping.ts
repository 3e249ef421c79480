import { type FlappingInput, flappingOf } from '../moves/flapping.ts';
import { sentence, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';

/** The cause of an object whose machine left a state of rest again and again, and is back in it. */
export function causesOfFlapping(input: FlappingInput, on: ObjectRef): readonly FoundCause[] {
  const flapping = flappingOf(input);
  if (flapping === null) return [];
  const { state, count, endsAt } = flapping;
  const message = sentence('{machine} left {state} {count} times in ten minutes', {
    machine: toViewers(input.machine),
    state: toViewers(state),
    count: toViewers(count),
  });
  return [{ reason: 'Flapping', message, on, count, changesAt: endsAt }];
}
