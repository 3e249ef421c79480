import type { HistoryEntry } from '../../../crds/kind.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { brokenSteps, holdsIn } from '../../check/search.ts';
import type { Run } from '../../check/run.ts';
import { passOf } from '../../check/world.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Oracle } from '../subjects/subject.ts';
import { configMaps, generatedObjects } from './kind.ts';
import { ensuresIn, lacking, removed } from './machine.ts';
import { objectIn, worldIn } from './objects.ts';
import { ensured, type Play, sameWorld } from './play.ts';

/** The external change made to a world at the moment, in the words of the model. */
export const externalMove = new WeakMap<TestEnvironment, string>();

function labelOf({ rules, table }: Run, { rule, event }: HistoryEntry): string {
  if (table.elsewhere.some((other) => other.event === event)) return `elsewhere: ${event}`;
  const [command] = rules.find(({ id }) => id === rule)?.answers ?? [];
  return command === undefined ? `pass: ${rule} → ${event}` : `asked: ${command} → ${event}`;
}

/**
 * Checks a generated object against the invariants of its model: every version of it, and every two consecutive ones. The ensures
 * of a state are carried out after the state is written, so a version is checked as if they were already done.
 */
export function oracleOf(play: Play, world: TestEnvironment, hasUserEdits: boolean): Oracle {
  const { run, model } = play;
  const invariants = Object.entries(model.invariants);
  const withEnsures = (one: unknown) =>
    ensured(
      play,
      one,
      ensuresIn(run, model.state(one)).filter((name) => name !== removed),
    );
  let current = worldIn(play, world);
  let checked = current;
  let moves = 0;

  const check = (label: string, from: unknown, to: unknown): readonly string[] => [
    ...invariants
      .filter(([, invariant]) => holdsIn(invariant, to) === false)
      .map(([name]) => `${name} is broken: ${label}`),
    ...brokenSteps(invariants, { before: from, after: to, label }, {}).map((name) => `${name} is broken by ${label}`),
  ];

  return {
    look: ({ kind }) => {
      if (hasUserEdits || (kind !== generatedObjects.kind && kind !== configMaps.kind)) return [];
      const object = objectIn(world);
      if (!object) return [];
      const before = current;
      current = worldIn(play, world);
      const newest = historyOf(object).at(-1);
      const moved = newest !== undefined && newest.seq > moves;
      moves = newest?.seq ?? 0;
      const edit = externalMove.get(world);
      if (edit !== undefined) {
        checked = current;
        return check(edit, before, current);
      }
      if (!moved) return [];
      const from = checked;
      checked = withEnsures(current);
      // What was done before the write is either part of the step, or a separate step that recorded nothing.
      const label = labelOf(run, newest);
      const wrong = check(label, withEnsures(before), checked);
      return check(label, from, checked).filter((one) => wrong.includes(one));
    },
    atRest: () => {
      const rest = worldIn(play, world);
      if (rest === null) return [];
      const [next] = passOf(run, rest);
      return [
        ...lacking(play, rest).map((name) => `rests in ${model.state(rest)} without what it ensures: ${name}`),
        ...(next && !sameWorld(next.world, rest) ? [`rests in ${model.state(rest)}, though ${next.label}`] : []),
      ];
    },
  };
}
