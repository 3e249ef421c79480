import { Effect, Stream } from 'effect';
import { definitionOf } from '../services/cluster/resources.ts';
import { overAcceptedWatch } from './acceptedWatch.ts';
import type { ClusterShape, Resource } from '../services/cluster/cluster.ts';
import { pauseAfter } from '../services/pause.ts';

/** The delay before a kind without a definition is listed again when its definition cannot be watched. */
const unwatchedMs = 30_000;
/** The same when no event of its definition arrives. */
const unheardMs = 600_000;
/** A definition may exist shortly before its kind is served. */
const comingUp = { firstMs: 1_000, maxMs: unwatchedMs };
const interrupted = { firstMs: 100, maxMs: 4_000 };

interface Waiting {
  readonly tries: number;
  readonly silenceMs: number;
  /** Runs whenever the API responds. */
  readonly heard: Effect.Effect<void>;
}

/**
 * Waits until a kind may be served, which is when its definition is installed or changes. `tries` counts the lists that
 * found no such kind, the last one included.
 */
export function untilServed(
  cluster: ClusterShape,
  { group, plural }: Resource,
  { tries, silenceMs, heard }: Waiting,
): Effect.Effect<void> {
  const definition = definitionOf(`${plural}.${group}`);
  const { cached: scope } = definition;
  const changed = Effect.gen(function* () {
    const { items, resourceVersion } = yield* Effect.tap(cluster.list(definition, scope), heard);
    if (items.length > 0) return yield* Effect.sleep(pauseAfter(tries, comingUp));
    const options = { ...scope, resourceVersion, silenceMs, opened: heard };
    yield* overAcceptedWatch(cluster, definition, options, (changes) =>
      Stream.runHead(
        Stream.filter(
          Stream.tap(changes, () => heard),
          ({ type }) => type !== 'bookmark',
        ),
      ),
    );
  });
  // A silent or expired watch is retried.
  const served = changed.pipe(
    Effect.catch((failure) => Effect.sleep(failure._tag === 'Refused' ? unwatchedMs : pauseAfter(tries, interrupted))),
  );
  return Effect.raceFirst(Effect.sleep(unheardMs), served);
}
