import type { HistoryEntry } from '../../../crds/kind.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { brokenSteps, holdsIn } from '../../check/search.ts';
import type { Run } from '../../check/run.ts';
import { passOf } from '../../check/world.ts';
import type { World } from '../../support/world.ts';
import type { Judge } from '../subjects/subject.ts';
import { configMaps, puppets } from './kind.ts';
import { ensuresIn, lacking, removed } from './machine.ts';
import { puppetIn, standing } from './objects.ts';
import { ensured, type Play, sameWorld } from './puppet.ts';

/** The external change made to a world at the moment, in the words of the model. */
export const underHand = new WeakMap<World, string>();

function labelOf({ rules, table }: Run, { rule, event }: HistoryEntry): string {
  if (table.elsewhere.some((other) => other.event === event)) return `elsewhere: ${event}`;
  const [command] = rules.find(({ id }) => id === rule)?.answers ?? [];
  return command === undefined ? `pass: ${rule} → ${event}` : `asked: ${command} → ${event}`;
}

/**
 * Checks a puppet against the invariants of its model: every version of it, and every two consecutive ones. The ensures
 * of a state are carried out after the state is written, so a version is judged as if they were already done.
 */
export function judgeOf(play: Play, world: World, byHand: boolean): Judge {
  const { run, model } = play;
  const invariants = Object.entries(model.invariants);
  const withEnsures = (one: unknown) =>
    ensured(
      play,
      one,
      ensuresIn(run, model.state(one)).filter((name) => name !== removed),
    );
  let stood = standing(play, world);
  let judged = stood;
  let moves = 0;

  const judge = (label: string, from: unknown, to: unknown): readonly string[] => [
    ...invariants
      .filter(([, invariant]) => holdsIn(invariant, to) === false)
      .map(([name]) => `${name} is broken: ${label}`),
    ...brokenSteps(invariants, { before: from, after: to, label }, {}).map((name) => `${name} is broken by ${label}`),
  ];

  return {
    look: ({ kind }) => {
      if (byHand || (kind !== puppets.kind && kind !== configMaps.kind)) return [];
      const puppet = puppetIn(world);
      if (!puppet) return [];
      const before = stood;
      stood = standing(play, world);
      const newest = historyOf(puppet).at(-1);
      const moved = newest !== undefined && newest.seq > moves;
      moves = newest?.seq ?? 0;
      const hand = underHand.get(world);
      if (hand !== undefined) {
        judged = stood;
        return judge(hand, before, stood);
      }
      if (!moved) return [];
      const from = judged;
      judged = withEnsures(stood);
      // What was done before the write is either part of the step, or a separate step that recorded nothing.
      const label = labelOf(run, newest);
      const wrong = judge(label, withEnsures(before), judged);
      return judge(label, from, judged).filter((one) => wrong.includes(one));
    },
    atRest: () => {
      const rest = standing(play, world);
      if (rest === null) return [];
      const [next] = passOf(run, rest);
      return [
        ...lacking(play, rest).map((name) => `rests in ${model.state(rest)} without what it ensures: ${name}`),
        ...(next && !sameWorld(next.world, rest) ? [`rests in ${model.state(rest)}, though ${next.label}`] : []),
      ];
    },
  };
}
