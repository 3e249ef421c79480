import type { Run } from '../../check/run.ts';
import { keyOf, stepsOf, type Taken } from '../../check/world.ts';
import { changedFields, type Fields, isAsked, type Play } from './puppet.ts';

/** Worlds from which it is learnt what changes what. */
const mostWorlds = 400;

/** Where fields are kept that their changes do not tell: part of the object, or of what stands outside it. */
interface Told {
  /** Ensured in the model and in truth written by other machines of the object, or what an action itself comes upon. */
  readonly inside?: readonly string[];
  /** Changed by one action together with what stands outside, of which they are a part. */
  readonly outside?: readonly string[];
}

const told: Readonly<Record<string, Told>> = {
  database: { inside: ['trouble', 'retry', 'hurried', 'again'], outside: ['ending', 'mistake'] },
  dashboardDomainReady: { inside: ['answers'] },
  managedDatabase: { inside: ['up'] },
  provisionRetry: { inside: ['meets'] },
};

interface Learnt {
  /** Fields that ensures change. */
  readonly ensured: ReadonlySet<string>;
  /** Fields that others change each by itself, and the facts that change with them. */
  readonly alone: ReadonlyMap<string, ReadonlySet<string>>;
  /** Fields that arrows change, or that others change together with more. */
  readonly bound: ReadonlySet<string>;
  /** Facts that are always known where they are told. */
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
 * Where each field of a world is kept. Outside the object stand what is ensured, for a pass writes its object once, and
 * what others change and only asked facts tell of: what a pass decides over is of one version or was read just now.
 */
export function placesOf(run: Run): Pick<Play, 'outside' | 'asked'> {
  const { ensured, alone, bound, askable } = learn(run);
  const { inside = [], outside = [] } = told[run.subject.name] ?? {};
  const asked = [...alone].filter(
    ([name, facts]) => !bound.has(name) && facts.size > 0 && [...facts].every((fact) => askable.has(fact)),
  );
  const apart = [...ensured, ...asked.map(([name]) => name), ...outside].filter((name) => !inside.includes(name));
  return { outside: new Set(apart), asked: [...askable] };
}
