import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Operator } from '../../runtime/operator.ts';
import { instancesOf, type OfObject } from '../views/instancesOf.ts';
import { isShown, type Kinds, type Placed } from '../views/placed.ts';
import type { Place } from './continue.ts';
import { byName, orderedIn } from './ordered.ts';
import { comparePlaces, firstFrom } from './sorted.ts';

interface HasPlace {
  readonly place: Place;
}

/** Makes rows of the instances of an object, for a view. */
type Rows<R> = (object: KubeObject, view: View, instances: () => readonly OfObject[]) => readonly R[];

/** The instances of a machine over all its kinds, by the name of their object, its kind, and their key in it. */
export function instancesIn<R extends HasPlace>(
  { caches }: Pick<Operator, 'caches'>,
  kinds: Kinds,
  rowsOf: (placed: Placed) => Rows<R>,
): (view: View) => (after: Place | null) => Iterable<R> {
  const lists = kinds.map((placed) => ({
    placed,
    sorted: orderedIn(caches.of(placed.controller.resource), byName),
    rows: rowsOf(placed),
  }));
  return (view) => (after) =>
    merged(lists.filter(({ placed }) => isShown(placed, view)).map((list) => rowsFrom(list, view, after)));
}

interface OfKind<R> {
  readonly placed: Placed;
  readonly sorted: () => readonly KubeObject[];
  readonly rows: Rows<R>;
}

function* rowsFrom<R extends HasPlace>({ placed, sorted, rows }: OfKind<R>, view: View, after: Place | null) {
  const objects = sorted();
  const start = after === null ? 0 : firstFrom(objects, ({ metadata }) => metadata.name < String(after[0]));
  for (let at = start; at < objects.length; at++) {
    const object = objects[at];
    for (const row of object ? rows(object, view, () => instancesOf(placed, object)) : [])
      if (after === null || comparePlaces(row.place, after) > 0) yield row;
  }
}

/** Several sorted lists as one. */
function* merged<R extends HasPlace>(lists: readonly Iterator<R>[]): Iterable<R> {
  const heads = lists.map((list) => ({ list, head: list.next() }));
  for (;;) {
    let [first] = heads;
    for (const one of heads) if (isBefore(one.head, first?.head)) first = one;
    if (first === undefined || first.head.done === true) return;
    yield first.head.value;
    first.head = first.list.next();
  }
}

const isBefore = <R extends HasPlace>(one: IteratorResult<R>, other: IteratorResult<R> | undefined): boolean =>
  one.done !== true &&
  (other === undefined || other.done === true || comparePlaces(one.value.place, other.value.place) < 0);
