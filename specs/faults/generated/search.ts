import { canonicalJson } from '../../../rules/canonical.ts';
import { keyOf, stepsOf, type Taken } from '../../check/world.ts';
import type { AnyModel } from '../../check/world.ts';
import type { Run } from '../../check/run.ts';
import type { Arrow } from '../../tables/arrows.ts';
import { gone } from './play.ts';

/**
 * Something done externally: a move of the world, with the index of its outcome, or a command; an event from elsewhere
 * is played as a command.
 */
type Done =
  | { readonly is: 'moved'; readonly name: string; readonly index: number }
  | { readonly is: 'asked'; readonly command: string; readonly event: string };

/** One act of a life: the quiescent world it waits for, what is done, and the quiescent world that results. */
export interface Leg {
  readonly at: unknown;
  readonly done: Done;
  readonly to: unknown;
}

/** The number of quiescent worlds after which a search gives up. */
const mostWorlds = 700;
/** The number of passes after which one act counts as not converging. */
const mostPasses = 30;

export interface Life {
  readonly start: unknown;
  readonly rest: unknown;
  readonly legs: readonly Leg[];
  /** Arrows taken, as `<state> <event>`. */
  readonly arrows: readonly string[];
  /** Whether the object is gone, which ends the life. */
  readonly over: boolean;
}

interface Rested {
  readonly world: unknown;
  readonly arrows: readonly string[];
  /** Whether the object is gone, which ends the life. */
  readonly over: boolean;
}

const arrowKey = ({ from, event }: Pick<Arrow, 'from' | 'event'>): string => `${from} ${event}`;

/** The inputs of the next decision in a world: its state, and what a pass would observe. */
export const sight = (model: AnyModel, world: unknown): string =>
  canonicalJson({ state: model.state(world), facts: JSON.parse(JSON.stringify(model.facts(world))) as unknown });

const doneOf = ({ label }: Taken): Done => {
  const [, command, event] = /^asked: (.+) → (.+)$/.exec(label) ?? /^elsewhere: ((.+))$/.exec(label) ?? [];
  if (command !== undefined && event !== undefined) return { is: 'asked', command, event };
  const [, name = '', index = '1'] = /^world: (.+?)(?: \((\d+)\))?$/.exec(label) ?? [];
  return { is: 'moved', name, index: Number(index) - 1 };
};

/** Runs passes alone until one changes nothing; null when they do not converge. */
function restOf(run: Run, model: AnyModel, from: unknown): Rested | null {
  const arrows: string[] = [];
  let world = from;
  for (let passes = 0; passes < mostPasses; passes++) {
    const pass = stepsOf(run, world).find(({ label }) => label.startsWith('pass: '));
    if (!pass) return { world, arrows, over: false };
    const arrow = { from: model.state(world), event: pass.label.replace(/^.* → /, '') };
    arrows.push(arrowKey(arrow));
    if (run.interpreter.next(arrow.from, arrow.event)?.to === gone) return { world: pass.world, arrows, over: true };
    if (keyOf(pass.world) === keyOf(world)) return { world, arrows, over: false };
    world = pass.world;
  }
  return null;
}

/**
 * Lives from one quiescent world to the next, breadth first, each the shortest to an arrow that no earlier life takes;
 * and the arrows that no such life takes.
 */
export function livesOf(run: Run): { readonly lives: readonly Life[]; readonly untaken: readonly string[] } {
  const { model } = run.subject;
  const left = new Set(run.interpreter.arrows.map(arrowKey));
  const known = new Set<string>();
  const queue: Life[] = [];
  const lives: Life[] = [];

  const enter = (life: Life): void => {
    if (life.arrows.some((arrow) => left.has(arrow))) {
      for (const arrow of life.arrows) left.delete(arrow);
      lives.push(life);
    }
    const key = keyOf(life.rest);
    if (life.over || known.has(key)) return;
    known.add(key);
    queue.push(life);
  };
  const legFrom = (life: Life, taken: Taken): void => {
    const state = model.state(life.rest);
    // A state written by somebody else is an external change and not part of a life.
    if (taken.row === null && (model.state(taken.world) !== state || keyOf(taken.world) === keyOf(life.rest))) return;
    const done = doneOf(taken);
    const to = done.is === 'asked' ? run.interpreter.next(state, done.event)?.to : undefined;
    const rested = to === gone ? { world: taken.world, arrows: [], over: true } : restOf(run, model, taken.world);
    if (!rested) return;
    const first = done.is === 'asked' ? [arrowKey({ from: state, event: done.event })] : [];
    const leg = { at: life.rest, done, to: rested.world };
    const arrows = [...life.arrows, ...first, ...rested.arrows];
    enter({ start: life.start, rest: rested.world, legs: [...life.legs, leg], arrows, over: rested.over });
  };

  for (const start of model.start) {
    const rested = restOf(run, model, start);
    if (rested) enter({ start, rest: rested.world, legs: [], arrows: rested.arrows, over: rested.over });
  }
  for (let index = 0; index < queue.length && known.size < mostWorlds && left.size > 0; index++) {
    const life = queue[index];
    if (!life || !model.within(life.rest)) continue;
    for (const taken of stepsOf(run, life.rest)) if (!taken.label.startsWith('pass: ')) legFrom(life, taken);
  }
  return { lives: longestFirst(lives), untaken: [...left] };
}

/** The smallest set of these lives that takes every arrow that any of them takes. */
function longestFirst(lives: readonly Life[]): readonly Life[] {
  const taken = new Set<string>();
  return lives.toReversed().filter(({ arrows }) => {
    const more = arrows.some((arrow) => !taken.has(arrow));
    for (const arrow of arrows) taken.add(arrow);
    return more;
  });
}
