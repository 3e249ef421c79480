import type { KubeObject } from '../crds/kind.ts';
import { nextMoveAt, withMove } from './history.ts';
import type { AnyLifecycle, Asked, BaseFacts } from './lifecycle.ts';
import type { Seen } from './seen.ts';
import { statusPatch, withStatus } from './status.ts';
import type { Step } from './step.ts';

/** Who moves an object and why: what one entry of its history says. */
export interface Cause {
  readonly event: string;
  readonly rule?: string;
  readonly by: string;
  readonly text: string;
  readonly facts: BaseFacts;
  readonly seen: Seen;
  readonly asked?: Asked;
}

/** The object after the fields of one arrow are written, without an entry in its history. */
export function withFields(lifecycle: AnyLifecycle, object: KubeObject, taken: Step, cause: Cause): KubeObject {
  const { facts, text, seen, asked = {} } = cause;
  const acting = { object, facts, text, seen, asked, at: nextMoveAt(object, facts.now) };
  const entered = taken.to === lifecycle.read(object) ? {} : lifecycle.write(taken.to);
  return taken.actions.reduce(
    (moved, action) => withStatus(moved, lifecycle.writes[action]?.(acting) ?? {}),
    withStatus(object, entered),
  );
}

/** The object with the entry of one move. */
export const withEntry = (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  { from, to }: { readonly from: string; readonly to: string },
  { event, rule, by, text, facts }: Cause,
): KubeObject =>
  withMove(object, {
    machine: lifecycle.name,
    from,
    event,
    to,
    ...(rule === undefined ? {} : { rule }),
    by,
    at: nextMoveAt(object, facts.now),
    text,
  });

/** The object after one arrow. A self-loop that changes no field leaves it as it is, history and all. */
export function apply(lifecycle: AnyLifecycle, object: KubeObject, taken: Step, cause: Cause): KubeObject {
  const moved = withFields(lifecycle, object, taken, cause);
  if (statusPatch(object, moved) === null) return object;
  return withEntry(lifecycle, moved, { from: lifecycle.read(object), to: taken.to }, cause);
}
