import type { KubeObject } from '../crds/kind.ts';
import { nextMoveAt, withMove } from './history.ts';
import type { AnyLifecycle, BaseFacts } from './lifecycle.ts';
import type { Seen } from './seen.ts';
import { statusPatch, withStatus } from './status.ts';
import type { Move } from './step.ts';

/** Who moved an object, and over which facts. */
export interface Cause {
  readonly by: string;
  readonly facts: BaseFacts;
  readonly seen: Seen;
}

/** What an entry of the history tells of a move; one that no rule names was found. */
export type Told = Pick<Move, 'from' | 'event' | 'to' | 'text'> & Partial<Pick<Move, 'rule'>>;

/** The object after the fields of one arrow are written, without an entry in its history. */
export function withFields(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  { to, actions, text }: Pick<Move, 'to' | 'actions' | 'text'>,
  { facts, seen }: Cause,
): KubeObject {
  const acting = { object, facts, text, seen, at: nextMoveAt(object, facts.now) };
  const entered = to === lifecycle.read(object) ? {} : lifecycle.write(to);
  return actions.reduce(
    (moved, action) => withStatus(moved, lifecycle.writes[action]?.(acting) ?? {}),
    withStatus(object, entered),
  );
}

/** The object with the entry of one move. */
export const withEntry = (
  { name: machine }: AnyLifecycle,
  object: KubeObject,
  { from, event, to, rule, text }: Told,
  { by, facts }: Cause,
): KubeObject =>
  withMove(object, {
    machine,
    from,
    event,
    to,
    ...(rule === undefined ? {} : { rule }),
    by,
    at: nextMoveAt(object, facts.now),
    text,
  });

/** The object after one move. A self-loop that changes no field leaves it as it is, history and all. */
export function apply(lifecycle: AnyLifecycle, object: KubeObject, move: Move, cause: Cause): KubeObject {
  const moved = withFields(lifecycle, object, move, cause);
  if (statusPatch(object, moved) === null) return object;
  return withEntry(lifecycle, moved, move, cause);
}
