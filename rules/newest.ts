import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { createdAtMs, msOf } from './time.ts';
import { isLater } from './version.ts';

/** The order of objects created in the same second. */
interface CreationOrder {
  readonly second: number;
  readonly firstMove: number;
  readonly version: string;
  readonly name: string;
}

const neverMoved = Number.POSITIVE_INFINITY;

/** 0 once the first transition is no longer kept, because an object with so many transitions is not new. */
function firstMoveOf(object: KubeObject): number {
  const { status } = object as { readonly status?: { readonly history?: readonly HistoryEntry[] } };
  const oldest = status?.history?.[0];
  if (oldest === undefined) return neverMoved;
  return oldest.seq === 1 ? msOf(oldest.at) || 0 : 0;
}

const creationOrderOf = (object: KubeObject): CreationOrder => ({
  second: createdAtMs(object),
  firstMove: firstMoveOf(object),
  version: object.metadata.resourceVersion ?? '0',
  name: object.metadata.name,
});

/**
 * The sort key of a list, newest first. For objects with a transition the version is ignored: it changes with every
 * write, and pages would skip objects that move to the front.
 */
export function newestPlace(object: KubeObject): readonly [number, number, number, string] {
  const { second, firstMove, version, name } = creationOrderOf(object);
  if (firstMove !== neverMoved) return [-second, -firstMove, 0, name];
  return [-second, -Number.MAX_SAFE_INTEGER, -Number(version), name];
}

/**
 * Newest first. Kubernetes stores creation times in whole seconds. Within one second, an object without a transition is
 * the newest, then the one with the later first transition, then the later written one, because nothing else is known
 * about them. The name comes last, for a stable order.
 */
export function newestFirst(one: KubeObject, other: KubeObject): number {
  const [a, b] = [creationOrderOf(one), creationOrderOf(other)];
  if (a.second !== b.second) return b.second - a.second;
  if (a.firstMove !== b.firstMove) return b.firstMove > a.firstMove ? 1 : -1;
  if (a.version !== b.version) return isLater(b.version, a.version) ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}
