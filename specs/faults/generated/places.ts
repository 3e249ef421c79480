import type { Run } from '../../check/run.ts';
import { keyOf, stepsOf, type Taken } from '../../check/world.ts';
import { changedFields, type Fields, isAsked, type Play } from './play.ts';

/** The number of worlds sampled to learn which step changes which field. */
const mostWorlds = 400;

/** Where fields are stored when their changes do not show it: in the object, or in the observed one. */
interface Stored {
  /** Ensured in the model but actually written by other machines of the object, or found by an action itself. */
  readonly inside?: readonly string[];
  /** Changed by one action together with the observed object, to which they belong. */
  readonly outside?: readonly string[];
}

const storedIn: Readonly<Record<string, Stored>> = {
  database: { inside: ['trouble', 'retry', 'hurried', 'again'], outside: ['ending', 'mistake'] },
  dashboardDomainReady: { inside: ['answers'] },
  managedDatabase: { inside: ['up'] },
  provisionRetry: { inside: ['meets'] },
};

interface Learnt {
  /** Fields that ensures change. */
  readonly ensured: ReadonlySet<string>;
  /** Fields that others change individually, and the facts that change with them. */
  readonly alone: ReadonlyMap<string, ReadonlySet<string>>;
  /** Fields that arrows change, or that others change together with further fields. */
  readonly bound: ReadonlySet<string>;
  /** Facts that are always known when they are included. */
  readonly askable: ReadonlySet<string>;
}

/** The first worlds of a lifecycle, and the steps that each can take. */
function* worldsOf(run: Run): Generator<{ readonly world: unknown; readonly steps: readonly Taken[] }> {
  const { model } = run.subject;
  const known = new Set(model.start.map(keyOf));
  const queue = [...model.start];
  for (let index = 0; index < queue.length && index < mostWorlds; index++) {
    const world = queue[index];
    if (!model.within(world)) continue;
    const steps = stepsOf(run, world);
    yield { world, steps };
    for (const { world: next } of steps)
      if (!known.has(keyOf(next))) {
        known.add(keyOf(next));
        queue.push(next);
      }
  }
}

function learn(run: Run): Learnt {
  const { model } = run.subject;
  const [ensured, bound] = [new Set<string>(), new Set<string>()];
  const alone = new Map<string, Set<string>>();
  const askable = new Set(Object.keys(model.facts(model.start[0]) as Fields));
  for (const { world, steps } of worldsOf(run)) {
    const facts = model.facts(world) as Fields;
    for (const name of askable) if (!isAsked(facts[name])) askable.delete(name);
    for (const ensure of Object.values(model.ensures ?? {}))
      for (const name of changedFields(world, ensure(world))) ensured.add(name);
    for (const { label, world: next } of steps) {
      const names = changedFields(world, next);
      const [only] = names;
      if (label.startsWith('world: ') && names.length === 1 && only !== undefined)
        alone.set(only, new Set([...(alone.get(only) ?? []), ...changedFields(facts, model.facts(next))]));
      else for (const name of names) bound.add(name);
    }
  }
  return { ensured, alone, bound, askable };
}

/**
 * Decides where each field of a world is stored. Two groups are stored outside the object: ensured fields, because a
 * pass writes its object once, and fields that others change and only requested facts show, because a pass decides over
 * one version of the object or over a fresh read.
 */
export function placesOf(run: Run): Pick<Play, 'outside' | 'asked'> {
  const { ensured, alone, bound, askable } = learn(run);
  const { inside = [], outside = [] } = storedIn[run.subject.name] ?? {};
  const asked = [...alone].filter(
    ([name, facts]) => !bound.has(name) && facts.size > 0 && [...facts].every((fact) => askable.has(fact)),
  );
  const apart = [...ensured, ...asked.map(([name]) => name), ...outside].filter((name) => !inside.includes(name));
  return { outside: new Set(apart), asked: [...askable] };
}
