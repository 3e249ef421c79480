import * as fc from 'fast-check';
import { type Fact, known, unasked, unknown } from '../../rules/fact.ts';

/** A fact that is known, could not be read, or was not asked for. */
export const perhaps = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof(value.map(known), fc.constant(unasked), fc.constant(unknown('could not be read')));

/** The value of a fact in documents, which are asked about known facts only. */
export function valueOf<T>(fact: Fact<T>): T {
  if (fact.is !== 'known') throw new Error('only known facts are judged here');
  return fact.value;
}
