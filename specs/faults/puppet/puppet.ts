import { canonicalJson } from '../../../rules/canonical.ts';
import { unasked } from '../../../rules/fact.ts';
import type { AnyModel } from '../../check/world.ts';
import type { Run } from '../../check/run.ts';
import type { Arrow } from '../../tables/arrows.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A lifecycle made ready to be played: its table, machine, rules and model, and where each field of its world is kept. */
export interface Play {
  readonly run: Run;
  readonly model: AnyModel;
  /** Fields that stand outside the object: what is ensured, and what is asked for. */
  readonly outside: ReadonlySet<string>;
  /** Facts that are asked for, and not observed. */
  readonly asked: readonly string[];
}

/** Names of the fields in which two worlds differ. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [before as Fields, after as Fields];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => canonicalJson(old[name] ?? null) !== canonicalJson(now[name] ?? null),
  );
}

/** The world after an arrow, without what its state ensures. */
export function after(
  { model }: Pick<Play, 'model'>,
  world: unknown,
  { does, to }: Pick<Arrow, 'does' | 'to'>,
  read: unknown = {},
): unknown {
  const seen = Object.entries(read as Fields).filter(([, fact]) => isAsked(fact));
  const facts = { ...(model.facts(world) as Fields), ...Object.fromEntries(seen) };
  const entered = model.enter(
    does.reduce((next, action) => model.does[action]?.(next, facts) ?? next, world),
    to,
  );
  // Some models begin anew at once under the same name; here the object is removed first.
  return to === gone && model.state(entered) !== gone ? { ...(entered as Fields), state: gone } : entered;
}

/** The state of what is removed: nothing comes after it. */
export const gone = '(deleted)';

/** The world with everything brought about that its state ensures. */
export const ensured = ({ model }: Pick<Play, 'model'>, world: unknown, ensures: readonly string[]): unknown =>
  ensures.reduce((next, name) => model.ensures?.[name]?.(next) ?? next, world);

/** Whether two worlds are the same. */
export const sameWorld = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** What is observed before anything is asked for. */
export const observed = ({ model, asked }: Play, world: unknown): Fields =>
  Object.fromEntries(
    Object.entries(model.facts(world) as Fields).map(([name, fact]) => [name, asked.includes(name) ? unasked : fact]),
  );

/** Whether a fact is one that is known, unknown or yet to be asked for. */
export const isAsked = (fact: unknown): boolean => (fact as { readonly is?: unknown } | null)?.is === 'known';
