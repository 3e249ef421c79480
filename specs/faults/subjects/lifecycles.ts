import { lifecycleNames, lifecycleOf } from '../../check/lifecycles.ts';
import { generatedSubject } from '../generated/subject.ts';
import type { FaultSubject } from './subject.ts';

/** Every lifecycle of the specification check without a subject of its own, run by the real runtime. */
export const generatedBeside = (own: readonly FaultSubject[]): Promise<readonly FaultSubject[]> => {
  const wired = new Set(own.flatMap(({ tables }) => tables));
  return Promise.all(
    lifecycleNames()
      .filter((name) => !wired.has(name))
      .map(async (name) => generatedSubject(await lifecycleOf(name))),
  );
};

/** The parts of a lifecycle that a generated controller does not simulate, and why. */
export const unplayed: readonly string[] = [
  'time: a model keeps its own, which stands still between two acts; looks bring a pass, their exact moment decides nothing',
  'what is answered at once (sign-ins, tokens, lockouts): a request is a field of the object, and a pass answers it',
  'absence: (none) is an object that says so, (deleted) one that is removed; nothing comes after it',
  'states that somebody writes: they are changes by hand, and no part of a life',
  'arrows that only somebody who acts between two passes takes: a life acts when passes have come to rest',
];
