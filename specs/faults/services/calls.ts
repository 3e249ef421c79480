import { Effect } from 'effect';
import {
  Unavailable,
  type ClusterShape,
  Conflict,
  type Precondition,
  type Resource,
} from '../../../runtime/services/cluster/cluster.ts';
import { counter } from './counting.ts';
import type { CallFault } from './fault.ts';

type Verb = 'get' | 'list' | 'read the log of' | 'create' | 'apply' | 'patch' | 'patch the status of' | 'remove';

/** A call in progress: its verb, its resource and its object. */
export interface Called {
  readonly is: 'read' | 'write';
  /** Of a write. */
  readonly resource?: Resource;
  readonly plural: string;
  readonly verb: Verb;
  /** Empty for a list. */
  readonly name: string;
  /** Its payload, and the precondition for it. */
  readonly body?: unknown;
  readonly precondition?: Precondition;
}

/** A wrapper around each call. */
export interface AroundClusterCalls {
  readonly read: <A, E>(called: Called, run: Effect.Effect<A, E | Unavailable>) => Effect.Effect<A, E | Unavailable>;
  readonly write: <A, E>(
    called: Called,
    run: Effect.Effect<A, E | Unavailable | Conflict>,
  ) => Effect.Effect<A, E | Unavailable | Conflict>;
}

/** The cluster with every call wrapped. */
export function aroundCalls(cluster: ClusterShape, { read, write }: AroundClusterCalls): ClusterShape {
  const reading = (verb: Verb, plural: string, name = ''): Called => ({ is: 'read', verb, plural, name });
  const writing = (
    verb: Verb,
    resource: Resource,
    name: string,
    sent: Pick<Called, 'body' | 'precondition'>,
  ): Called => ({ is: 'write', verb, resource, plural: resource.plural, name, ...sent });
  return {
    ...cluster,
    get: (resource, name) => read(reading('get', resource.plural, name.name), cluster.get(resource, name)),
    list: (resource, options) => read(reading('list', resource.plural), cluster.list(resource, options)),
    podLog: (name, options) => read(reading('read the log of', 'pods', name.name), cluster.podLog(name, options)),
    foldLog: (name, ...rest) => read(reading('read the log of', 'pods', name.name), cluster.foldLog(name, ...rest)),
    create: (resource, object) =>
      write(writing('create', resource, object.metadata.name, { body: object }), cluster.create(resource, object)),
    apply: (resource, object, over) =>
      write(
        writing('apply', resource, object.metadata.name, {
          body: object,
          precondition: over === 'nothing' ? {} : over,
        }),
        cluster.apply(resource, object, over),
      ),
    patch: (resource, name, body, precondition = {}) =>
      write(
        writing('patch', resource, name.name, { body, precondition }),
        cluster.patch(resource, name, body, precondition),
      ),
    patchStatus: (resource, name, body, precondition = {}) =>
      write(
        writing('patch the status of', resource, name.name, { body, precondition }),
        cluster.patchStatus(resource, name, body, precondition),
      ),
    remove: (resource, name, precondition = {}) =>
      write(writing('remove', resource, name.name, { precondition }), cluster.remove(resource, name, precondition)),
  };
}

/** How long the service waits for a response. */
const answerWithinMs = 30_000;
const silence = new Unavailable({ message: `nothing heard for ${answerWithinMs} ms` });
const reset = new Unavailable({ message: 'the connection was reset' });
const noticed = Effect.andThen(Effect.sleep(answerWithinMs), Effect.fail(silence));

const refusals = {
  429: new Unavailable({ message: '429 too many requests', retryAfterMs: 1_000 }),
  500: new Unavailable({ message: '500 an internal error occurred' }),
  503: new Unavailable({ message: '503 the service is not available' }),
} as const;

/** The effect of a fault on a call of any kind. */
type Strike = <A, E>(run: Effect.Effect<A, E | Unavailable>) => Effect.Effect<A, E | Unavailable>;

const strikeOf = (fault: Exclude<CallFault, { readonly is: 'conflict' }>): Strike => {
  switch (fault.is) {
    case 'refuse':
      return () => Effect.fail(refusals[fault.with]);
    case 'timeOut':
      return () => noticed;
    case 'loseAnswer':
      return (run) => Effect.andThen(run, fault.noticed === 'late' ? noticed : Effect.fail(reset));
    case 'slow':
      return (run) => {
        const wait = Effect.sleep(fault.ms);
        return Effect.andThen(
          wait,
          Effect.andThen(Effect.exit(run), (exit) => Effect.andThen(wait, exit)),
        );
      };
  }
};

/** The cluster with a fault in one call, or in a run of calls. */
export function withCallFault(cluster: ClusterShape, fault: CallFault, touch: () => void): ClusterShape {
  const isIt = counter(fault);
  const on = fault.is === 'conflict' || fault.is === 'loseAnswer' ? 'write' : fault.on;
  const isStruck = (called: Called) => (on === 'call' || on === called.is) && isIt(called.plural);
  const strike = fault.is === 'conflict' ? null : strikeOf(fault);

  const around =
    <Failed>(struck: <A, E>(run: Effect.Effect<A, E | Failed>) => Effect.Effect<A, E | Failed>) =>
    <A, E>(called: Called, run: Effect.Effect<A, E | Failed>): Effect.Effect<A, E | Failed> =>
      Effect.suspend(() => {
        if (!isStruck(called)) return run;
        touch();
        return struck(run);
      });
  return aroundCalls(cluster, {
    read: around<Unavailable>((run) => (strike ? strike(run) : run)),
    write: around<Unavailable | Conflict>((run) =>
      strike ? strike(run) : Effect.fail(new Conflict({ what: 'somebody has written in between' })),
    ),
  });
}
