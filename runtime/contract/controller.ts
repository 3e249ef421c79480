import type { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Caches } from '../cache/caches.ts';
import type { AnyEntries } from './list.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { PassContext } from './context.ts';
import type { Outside } from '../services/outside.ts';
import type { Ensure, EnsureError } from './ensure.ts';
import { ActionFailed, type AnyLifecycle, type Fields } from './lifecycle.ts';

/** What besides the object itself triggers its controller: a change of this resource, and which objects it concerns. */
export interface Watching<W extends KubeObject = KubeObject> {
  readonly resource: Resource<W>;
  /** What the passes read of it: where that is deeply equal before and after a change, nobody is concerned. */
  reads(watched: NoInfer<W>): unknown;
  /** Names of the objects, found by an index; a change concerns those of the object before it, too. */
  concerns(changed: W, reader: CacheReader): readonly string[];
}

/**
 * What deriving may read besides the object: the caches, the time, why the ensures of the object last failed, and the
 * action that failed in this pass.
 */
export interface Deriving {
  readonly reader: CacheReader;
  readonly now: string;
  readonly failures: ReadonlyMap<string, { readonly why: string }>;
  readonly failure: ActionFailed | null;
}

/** One kind: its machines in the order they step, what it derives without a machine, what it ensures. */
export interface Controller<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** Its name in the queue, the log and the metrics where several controllers share a kind; the kind by default. */
  readonly name?: string;
  /** The names of its own objects, where it shares a kind with others; each is processed whether it exists or not. */
  readonly only?: readonly string[];
  /** Which names are its own, where controllers divide a kind by name; each object is then of one of them alone. */
  readonly owns?: (name: string) => boolean;
  readonly lifecycles: readonly AnyLifecycle[];
  /** Its lists whose entries have machines of their own; these step after those of the object. */
  readonly entries?: readonly AnyEntries[];
  readonly watches: readonly Watching[];
  /** Fields of the status that follow from what is observed: verdicts and references. Recorded with the moves. */
  derive?(object: O, deriving: Deriving): Fields;
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
  /**
   * A finalizer that this kind carries: removed once every machine whose table has an end has reached it, and `release`
   * holds. With `isWanted` only those objects carry it of which that says so; without it every one does. What carries it
   * loses it, before or during its deletion, where `isGivenUp` says so.
   */
  readonly finalizer?: {
    readonly name: string;
    readonly release?: Ensure<O>;
    isWanted?(object: O, reader: CacheReader): boolean;
    isGivenUp?(reader: CacheReader): boolean;
  };
  /** What is done when no object has the name: it is created, or late leftovers of an earlier life are removed. */
  onMissing?(
    name: string,
    context: Pick<PassContext, 'reader' | 'hasEnded'>,
  ): Effect.Effect<void, EnsureError, Outside>;
  /**
   * The merge patch that adds what an older release or a manual edit left out of an object; null when nothing is
   * missing.
   */
  defaults?(object: O, reader: CacheReader, now: number): Fields | null;
  /** Called with what asks for a pass over an object that has not changed: something outside has news of it. */
  readonly onRequest?: (ask: (name: string) => void) => void;
  /**
   * Subscribes before the first list, whether this process leads or not, so that its passes know of versions that came
   * and went between them. It ends with the caches.
   */
  readonly onChange?: (caches: Caches) => void;
}

export const nameOf = ({ name, resource }: Controller): string => name ?? resource.kind;

/** Whether an object of its kind belongs to it. */
export const isOwn = ({ only, owns }: Controller, name: string): boolean =>
  only === undefined ? (owns?.(name) ?? true) : only.includes(name);

/** Those of the objects of a kind that belong to a controller. */
export const ownAmong = <O extends KubeObject>(controller: Controller, objects: readonly O[]): readonly O[] =>
  controller.only === undefined && controller.owns === undefined
    ? objects
    : objects.filter(({ metadata }) => isOwn(controller, metadata.name));

export const watching = <W extends KubeObject>(of: Watching<W>): Watching => of;

/** A resource that passes read, and whose changes ask for none. */
export const cachedOnly = <W extends KubeObject>(resource: Resource<W>): Watching =>
  watching<W>({ resource, reads: () => null, concerns: () => [] });

export const controller = <O extends KubeObject>(of: Controller<O>): Controller => of;

/** One machine of one object. */
export interface Instance {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  readonly name: string;
}
