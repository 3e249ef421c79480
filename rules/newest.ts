import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { createdAtMs, msOf } from './time.ts';
import { isLater } from './version.ts';

/** An object, told apart from others made in the same second as far as anything that is stored can. */
interface Born {
  readonly second: number;
  readonly firstMove: number;
  readonly version: string;
  readonly name: string;
}

const neverMoved = Number.POSITIVE_INFINITY;

/** 0 once the first move is no longer kept: what has moved that often is not new. */
function firstMoveOf(object: KubeObject): number {
  const { status } = object as { readonly status?: { readonly history?: readonly HistoryEntry[] } };
  const oldest = status?.history?.[0];
  if (oldest === undefined) return neverMoved;
  return oldest.seq === 1 ? msOf(oldest.at) || 0 : 0;
}

const bornOf = (object: KubeObject): Born => ({
  second: createdAtMs(object),
  firstMove: firstMoveOf(object),
  version: object.metadata.resourceVersion ?? '0',
  name: object.metadata.name,
});

/**
 * Newest first. Kubernetes writes creation times in whole seconds; of one second, what has not moved yet is the newest,
 * then what made its first move later, then what was written later, for nothing else is known of it. The name comes
 * last, so that the order is always the same.
 */
export function newestFirst(one: KubeObject, other: KubeObject): number {
  const [a, b] = [bornOf(one), bornOf(other)];
  if (a.second !== b.second) return b.second - a.second;
  if (a.firstMove !== b.firstMove) return b.firstMove > a.firstMove ? 1 : -1;
  if (a.version !== b.version) return isLater(b.version, a.version) ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}
