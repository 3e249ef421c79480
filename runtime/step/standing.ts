import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { newestMove } from './history.ts';
import type { AnyLifecycle } from '../lifecycle.ts';
import { gone } from './step.ts';

/** Where another machine of the same object stands, and the event that brought it there in this very pass. */
export interface Standing {
  readonly state: string;
  readonly event: string | null;
}
export type Others = Readonly<Record<string, Standing>>;

export const isPaused = ({ metadata }: KubeObject): boolean => metadata.annotations?.[annotation.paused] === 'true';

export const isDeleting = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Whether the life of an object ends for a machine by a row of its table. */
export const knowsEnd = ({ absence }: AnyLifecycle): boolean => absence.some(({ to }) => to === gone);

/** Whether a machine took the row that ends its life. */
export const isOver = ({ name }: AnyLifecycle, object: KubeObject): boolean =>
  isDeleting(object) && newestMove(object, name)?.to === gone;

export const stateOf = (lifecycle: AnyLifecycle, object: KubeObject): string =>
  isOver(lifecycle, object) ? gone : lifecycle.read(object);

/** Where every machine of an object stands before any of them steps. */
export const standing = (lifecycles: readonly AnyLifecycle[], object: KubeObject): Others =>
  Object.fromEntries(lifecycles.map((one) => [one.name, { state: stateOf(one, object), event: null }]));
