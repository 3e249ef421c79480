import { Effect } from 'effect';
import { Away, type ClusterShape, Conflict } from '../../../runtime/services/cluster.ts';
import { counter } from './counting.ts';
import type { CallFault } from './fault.ts';

/** A call under way: what it is, and of which resource. */
export interface Called {
  readonly is: 'read' | 'write';
  readonly plural: string;
}

/** What is done around each call. */
export interface Around {
  readonly read: <A, E>(called: Called, run: Effect.Effect<A, E | Away>) => Effect.Effect<A, E | Away>;
  readonly write: <A, E>(
    called: Called,
    run: Effect.Effect<A, E | Away | Conflict>,
  ) => Effect.Effect<A, E | Away | Conflict>;
}

/** The cluster with something done around every call of it. */
export function aroundCalls(cluster: ClusterShape, { read, write }: Around): ClusterShape {
  const reading = (plural: string): Called => ({ is: 'read', plural });
  const writing = (plural: string): Called => ({ is: 'write', plural });
  return {
    ...cluster,
    get: (resource, name) => read(reading(resource.plural), cluster.get(resource, name)),
    list: (resource, options) => read(reading(resource.plural), cluster.list(resource, options)),
    podLog: (name, options) => read(reading('pods'), cluster.podLog(name, options)),
    create: (resource, object) => write(writing(resource.plural), cluster.create(resource, object)),
    patch: (resource, ...given) => write(writing(resource.plural), cluster.patch(resource, ...given)),
    patchStatus: (resource, ...given) => write(writing(resource.plural), cluster.patchStatus(resource, ...given)),
    remove: (resource, ...given) => write(writing(resource.plural), cluster.remove(resource, ...given)),
  };
}

/** How long the service waits for an answer. */
const answerWithinMs = 30_000;
const silence = new Away({ why: `nothing heard for ${answerWithinMs} ms` });
const reset = new Away({ why: 'the connection was reset' });
const noticed = Effect.andThen(Effect.sleep(answerWithinMs), Effect.fail(silence));

const refusals = {
  429: new Away({ why: '429 too many requests', retryAfterMs: 1_000 }),
  500: new Away({ why: '500 an internal error occurred' }),
  503: new Away({ why: '503 the service is not available' }),
} as const;

/** What becomes of a call that is struck, of which kind ever. */
type Strike = <A, E>(run: Effect.Effect<A, E | Away>) => Effect.Effect<A, E | Away>;

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

/** The cluster with one call, or a run of them, going wrong. */
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
    read: around<Away>((run) => (strike ? strike(run) : run)),
    write: around<Away | Conflict>((run) =>
      strike ? strike(run) : Effect.fail(new Conflict({ what: 'somebody has written in between' })),
    ),
  });
}
