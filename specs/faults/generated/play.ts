import { canonicalJson } from '../../../rules/canonical.ts';
import { unasked } from '../../../rules/fact.ts';
import type { AnyModel } from '../../check/world.ts';
import type { Run } from '../../check/run.ts';
import type { Arrow } from '../../tables/arrows.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * A lifecycle prepared for simulation: its table, machine, rules and model, and where each field of its world is
 * stored.
 */
export interface Play {
  readonly run: Run;
  readonly model: AnyModel;
  /** Fields stored outside the object: ensured ones and those that facts request. */
  readonly outside: ReadonlySet<string>;
  /** Facts that are requested, not observed. */
  readonly asked: readonly string[];
}

/** Names of the fields in which two worlds differ. */
export function changedFields(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [before as Fields, after as Fields];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => canonicalJson(old[name] ?? null) !== canonicalJson(now[name] ?? null),
  );
}

/** The world after an arrow, without the ensures of its state. */
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
  // Some models restart at once under the same name; here the object is removed first.
  return to === gone && model.state(entered) !== gone ? { ...(entered as Fields), state: gone } : entered;
}

/** The state of a removed object, which nothing follows. */
export const gone = '(deleted)';

/** The world after all ensures of its state are carried out. */
export const ensured = ({ model }: Pick<Play, 'model'>, world: unknown, ensures: readonly string[]): unknown =>
  ensures.reduce((next, name) => model.ensures?.[name]?.(next) ?? next, world);

/** Whether two worlds are the same. */
export const sameWorld = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** The facts observed before any fact is requested. */
export const observed = ({ model, asked }: Play, world: unknown): Fields =>
  Object.fromEntries(
    Object.entries(model.facts(world) as Fields).map(([name, fact]) => [name, asked.includes(name) ? unasked : fact]),
  );

/** Whether a value is a fact with the states known, unknown and unasked. */
export const isAsked = (fact: unknown): boolean => (fact as { readonly is?: unknown } | null)?.is === 'known';
