import { Context, Data, type Effect, type Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ObjectRef } from '../../../rules/cause/cause.ts';

/** Selects objects of a resource. */
export interface Selection {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Where a kind is served: `/apis/<group>/<version>/<plural>`, or `/api/v1/<plural>` for the empty group. */
export interface Resource<O extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly cached?: Cached<O>;
  /** Fields whose empty list or map has a meaning; in what Core applies, other empty ones are dropped. */
  readonly meaningfulEmpty?: readonly string[];
  /** Only carries the type of the objects; never set. */
  readonly objects?: O;
}

/** The `apiVersion` of the objects of a resource: `v1`, or `<group>/<version>`. */
export const apiVersionOf = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** The part of a resource that a process caches: all of core-system, or all of it when cluster-scoped. */
export interface Cached<O extends KubeObject = KubeObject> extends Selection {
  /** All namespaces instead of core-system alone. */
  readonly everywhere?: true;
  readonly indexes?: readonly Index<O>[];
}

/** Finds objects by other values than their name. */
export interface Index<O extends KubeObject = KubeObject> {
  readonly name: string;
  keys(object: O): readonly string[];
}

/** Finds objects by the value of a label. */
export const byLabel = (label: string): Index => ({
  name: label,
  keys: ({ metadata }) => (metadata.labels?.[label] === undefined ? [] : [metadata.labels[label]]),
});

/** One object of a resource; `namespace` is core-system unless it is given. */
export interface Name {
  readonly name: string;
  readonly namespace?: string;
}

/** The object that could not be written, where a caller has named it. */
interface Written {
  readonly on?: ObjectRef;
}

/** The API serves no such object, or no such kind: 404. */
export class NotFound extends Data.TaggedError('NotFound')<{ readonly what: string } & Written> {}
/** Another write came first: the resourceVersion or the uid of the precondition is not the stored one. */
export class Conflict extends Data.TaggedError('Conflict')<
  {
    readonly what: string;
    /** Another object has the name, so a retry would be about that one. */
    readonly isAnother?: true;
  } & Written
> {}

/** Whether a write may succeed once the object is read again. */
export const isPassing = (error: { readonly _tag: string; readonly isAnother?: true }): boolean =>
  error._tag === 'Conflict' && error.isAnother !== true;
/** A create of a name that is taken: 409. */
export class AlreadyExists extends Data.TaggedError('AlreadyExists')<{ readonly what: string } & Written> {}
/** The API understood the request and refused it: 400, 401, 403, 405, 413, 422. */
export class Refused extends Data.TaggedError('Refused')<
  { readonly status: number; readonly message: string } & Written
> {}
/** The API did not answer, or answered 429 or 5xx; a write may or may not have been done. */
export class Unavailable extends Data.TaggedError('Unavailable')<
  { readonly message: string; readonly retryAfterMs?: number } & Written
> {}
/** The resourceVersion asked for is too old: list again. */
export class Gone extends Data.TaggedError('Gone')<{ readonly what: string }> {}

/** 404 of a list or a watch: the definition of the kind is not installed. */
export const isUndefined = (failure: Refused | Unavailable | Gone): failure is Refused =>
  failure._tag === 'Refused' && failure.status === 404;

/** How a read of one object fails. Only `Unavailable` is worth a retry. */
export type ReadError = NotFound | Refused | Unavailable;
/** How a write fails. `Unavailable` leaves open whether it was done; after `Conflict` the object is read and decided again. */
export type WriteError = NotFound | Conflict | AlreadyExists | Refused | Unavailable;

/** One page of a list; `continue` requests the next one, and is absent on the last. */
export interface Listed<O> {
  readonly items: readonly O[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

export interface ListOptions extends Selection {
  /** `all` means every namespace. */
  readonly namespace?: string;
  readonly limit?: number;
  readonly continue?: string;
}

export interface WatchOptions extends Selection {
  readonly resourceVersion: string;
  readonly namespace?: string;
  readonly silenceMs: number;
  /** Runs once the server has accepted the watch, which may have nothing to report for long. */
  readonly opened?: Effect.Effect<void>;
}

/** `bookmark` only carries the version that the watch has reached. */
export type Watched<O> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: O }
  | { readonly type: 'bookmark'; readonly resourceVersion: string };

/** What must hold for the stored object, else the write is a Conflict. */
export interface Precondition {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Requires the same object in the version that was read. */
export const asSeen = ({ metadata: { uid, resourceVersion } }: KubeObject): Precondition => ({
  ...(uid === undefined ? {} : { uid }),
  ...(resourceVersion === undefined ? {} : { resourceVersion }),
});

/**
 * The precondition of an apply: `nothing` only creates, a uid only changes that object; anything else is a Conflict.
 */
export type ApplyOver = 'nothing' | { readonly uid: string };

/** The length in characters beyond which log lines are cut. */
export const longestLine = 16_384;

/** Which log lines of a container to read; `sinceTime` counts from its whole second. */
export interface LogLinesOptions {
  readonly container: string;
  readonly follow?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  /** Prefixes each line with its time. */
  readonly timestamps?: boolean;
  /** The run of the container before this one. */
  readonly previous?: boolean;
}

/** The Kubernetes API, embedded or real: the runtime reads and changes the cluster only through it. */
export interface ClusterShape {
  readonly get: <O extends KubeObject>(resource: Resource<O>, name: Name) => Effect.Effect<O, ReadError>;
  readonly list: <O extends KubeObject>(
    resource: Resource<O>,
    options?: ListOptions,
  ) => Effect.Effect<Listed<O>, Refused | Unavailable | Gone>;
  /**
   * Changes after `resourceVersion`, until the server ends the watch (the stream ends), it fails, or nothing, not even
   * a bookmark, arrives for `silenceMs` (fails with Unavailable).
   */
  readonly watch: <O extends KubeObject>(
    resource: Resource<O>,
    options: WatchOptions,
  ) => Stream.Stream<Watched<O>, Refused | Unavailable | Gone>;
  readonly create: <O extends KubeObject>(resource: Resource<O>, object: O) => Effect.Effect<O, WriteError>;
  /**
   * Server-side apply, forced: the given fields are set and belong to `core`; fields that it applied before and no
   * longer gives are removed, unless another manager also owns them.
   */
  readonly apply: <O extends KubeObject>(
    resource: Resource<O>,
    object: KubeObject,
    over: ApplyOver,
  ) => Effect.Effect<O, WriteError>;
  /** JSON merge patch of the object. */
  readonly patch: <O extends KubeObject>(
    resource: Resource<O>,
    name: Name,
    patch: object,
    precondition?: Precondition,
  ) => Effect.Effect<O, WriteError>;
  /** JSON merge patch of the status alone. */
  readonly patchStatus: <O extends KubeObject>(
    resource: Resource<O>,
    name: Name,
    status: object,
    precondition?: Precondition,
  ) => Effect.Effect<O, WriteError>;
  /** Background deletion: dependents are collected after the object. A missing object is no error. */
  readonly remove: <O extends KubeObject>(
    resource: Resource<O>,
    name: Name,
    precondition?: Precondition,
  ) => Effect.Effect<void, Conflict | Refused | Unavailable>;
  /** The log of one container, whole or its last `tailLines`. */
  readonly podLog: (
    name: Name,
    options: { readonly container: string; readonly tailLines?: number; readonly limitBytes?: number },
  ) => Effect.Effect<string, ReadError>;
  /**
   * Folds the log of one container from its start to its current end, piece by piece; only the result of `next` is
   * kept.
   */
  readonly foldLog: <A>(
    name: Name,
    container: string,
    fold: { readonly start: A; readonly next: (before: A, piece: string) => A },
  ) => Effect.Effect<A, ReadError>;
  /**
   * The log lines of one container: the existing ones and, with `follow`, new ones until it ends. Lines longer than
   * `longestLine` are cut.
   */
  readonly logLines: (name: Name, options: LogLinesOptions) => Stream.Stream<string, ReadError>;
}

export class Cluster extends Context.Service<Cluster, ClusterShape>()('core/Cluster') {}
