import type { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Findings } from '../../rules/cause/record.ts';
import type { Fact } from '../../rules/fact.ts';
import type { Caches } from '../cache/caches.ts';
import type { AnyEntries } from './list.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { PassContext } from './context.ts';
import type { Outside } from '../services/outside.ts';
import type { Ensure, EnsureError } from './ensure.ts';
import { ActionFailed, type AnyLifecycle, type Fields } from './lifecycle.ts';

/** A resource whose changes trigger a controller, and the objects that a change concerns. */
export interface Watching<W extends KubeObject = KubeObject> {
  readonly resource: Resource<W>;
  /** What the passes read of it: a change that leaves it deeply equal concerns no object. */
  reads(watched: NoInfer<W>): unknown;
  /** Names of the objects, found by an index; a change concerns those of the object before it, too. */
  concerns(changed: W, reader: CacheReader): readonly string[];
}

/**
 * What deriving may read besides the object: the caches, the time, why the ensures of the object last failed, the
 * action that failed in this pass, and the facts that its rules asked for.
 */
export interface Deriving {
  readonly reader: CacheReader;
  readonly now: string;
  readonly failures: ReadonlyMap<string, { readonly why: string }>;
  readonly failure: ActionFailed | null;
  readonly asked: Readonly<Record<string, Fact<unknown>>>;
}

/** Deriving outside of a pass, where nothing was asked and nothing failed. */
export const derivingNow = ({ reader, now }: Pick<Deriving, 'reader' | 'now'>): Deriving => ({
  reader,
  now,
  failures: new Map(),
  failure: null,
  asked: {},
});

/** Reconciles one kind: its machines in step order, derived status fields and ensures. */
export interface Controller<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** Its name in the queue, the log and the metrics where several controllers share a kind; the kind by default. */
  readonly name?: string;
  /** Whether a name is its own, when several controllers share a kind. */
  readonly owns?: (name: string) => boolean;
  /** Names of its own that are processed whether an object has them or not, also after a write of this process. */
  readonly expects?: readonly string[];
  readonly lifecycles: readonly AnyLifecycle[];
  /** Lists whose entries have machines of their own; these step after those of the object. */
  readonly entries?: readonly AnyEntries[];
  readonly watches: readonly Watching[];
  /** Fields of the status that follow from what is observed: verdicts and references. Recorded with the moves. */
  derive?(object: O, deriving: Deriving): Fields;
  /** Why the object is red or waits, as this pass finds it; compared with the recorded causes by the pass. */
  causes?(object: O, deriving: Deriving): Findings;
  readonly ensures: Readonly<Record<string, Ensure<O>>>;
  /**
   * A finalizer of this kind, removed once every machine whose table has an end has reached it and `release` holds.
   * Without `isWanted` every object of the kind gets it. `isGivenUp` removes it, before or during deletion.
   */
  readonly finalizer?: {
    readonly name: string;
    readonly release?: Ensure<O>;
    isWanted?(object: O, reader: CacheReader): boolean;
    isGivenUp?(reader: CacheReader): boolean;
  };
  /** Runs when no object has the name: creates it, or removes late leftovers of an earlier life. */
  onMissing?(
    name: string,
    context: Pick<PassContext, 'reader' | 'hasEnded'>,
  ): Effect.Effect<void, EnsureError, Outside>;
  /** A merge patch that adds fields missing after an upgrade or a manual edit; null when nothing is missing. */
  defaults?(object: O, reader: CacheReader, now: number): Fields | null;
  /** Receives a callback that requests a pass when something outside the cluster changes. */
  readonly onRequest?: (ask: (name: string) => void) => void;
  /**
   * Subscribes before the first list, on leaders and followers alike, so that its passes see versions between lists.
   * Ends with the caches.
   */
  readonly onChange?: (caches: Caches) => void;
}

export const nameOf = ({ name, resource }: Controller): string => name ?? resource.kind;

/** Whether an object of its kind belongs to it. */
export const isOwn = ({ owns }: Controller, name: string): boolean => owns?.(name) ?? true;

/** Filters the objects of a kind that belong to a controller. */
export const ownAmong = <O extends KubeObject>(controller: Controller, objects: readonly O[]): readonly O[] =>
  controller.owns === undefined ? objects : objects.filter(({ metadata }) => isOwn(controller, metadata.name));

export const watching = <W extends KubeObject>(of: Watching<W>): Watching => of;

/** Caches a resource for passes without triggering any. */
export const cachedOnly = <W extends KubeObject>(resource: Resource<W>): Watching =>
  watching<W>({ resource, reads: () => null, concerns: () => [] });

export const controller = <O extends KubeObject>(of: Controller<O>): Controller => of;

/** One machine of one object. */
export interface Instance {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  readonly name: string;
}
