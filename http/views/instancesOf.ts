import type { KubeObject } from '../../crds/kind.ts';
import { isOwn } from '../../runtime/contract/controller.ts';
import { isConcerned } from '../../runtime/step/standing.ts';
import type { Place } from '../lists/continue.ts';
import { sortedBy } from '../lists/sorted.ts';
import { instancesOn, type Placed } from './placed.ts';

/** One instance of a machine: an object, or an entry of a list in it. */
export interface OfObject {
  readonly placed: Placed;
  readonly object: KubeObject;
  readonly place: Place;
}

/** The instances that an object is or has. */
export function instancesOf(placed: Placed, object: KubeObject): readonly OfObject[] {
  if (!isOwn(placed.controller, object.metadata.name) || !isConcerned(placed.lifecycle, object)) return [];
  const found = instancesOn(placed, object).map((one) => ({
    placed: one,
    object,
    place: [object.metadata.name, placed.controller.resource.kind, one.lifecycle.item?.key ?? ''],
  }));
  return sortedBy(found, ({ place }) => place);
}
