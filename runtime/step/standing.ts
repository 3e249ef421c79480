import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { newestMove } from './history.ts';
import type { AnyLifecycle, Others } from '../contract/lifecycle.ts';
import { absent, gone } from './step.ts';
import { isDeleting } from '../../rules/deleting.ts';

export const isPaused = ({ metadata }: KubeObject): boolean => metadata.annotations?.[annotation.paused] === 'true';

/** Whether an object takes part in a lifecycle of its kind. */
export const isConcerned = (lifecycle: AnyLifecycle, object: KubeObject): boolean =>
  lifecycle.concerns?.(object) ?? true;

/** Whether a machine's table has a row that ends the life of an object. */
export const knowsEnd = ({ absence }: AnyLifecycle): boolean => absence.some(({ to }) => to === gone);

/** Whether a machine has taken the row that ends its life. */
export const isOver = ({ name, item, removes }: AnyLifecycle, object: KubeObject): boolean =>
  (removes === true || isDeleting(object)) && newestMove(object, name, item?.key)?.to === gone;

/** Whether a machine has started and has an end that it has not reached. */
export const isUnended = (lifecycle: AnyLifecycle, object: KubeObject): boolean =>
  knowsEnd(lifecycle) && !isOver(lifecycle, object) && lifecycle.read(object) !== absent;

/** The state of a machine as its lens reads it; `(deleted)` once its life is over. */
export const stateOf = (lifecycle: AnyLifecycle, object: KubeObject): string =>
  isOver(lifecycle, object) ? gone : lifecycle.read(object);

/** The states of an object's own machines, before any of them steps. */
export const standing = (lifecycles: readonly AnyLifecycle[], object: KubeObject): Others =>
  Object.fromEntries(
    lifecycles
      .filter(({ item }) => item === undefined)
      .map((one) => [one.name, { state: stateOf(one, object), event: null }]),
  );
