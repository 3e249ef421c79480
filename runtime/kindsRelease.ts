import { Effect } from 'effect';
import { kinds } from '../crds/kinds.ts';
import { annotation, group } from '../crds/names.ts';
import { definitionsToApply, isRelease, oldestRelease } from '../rules/kindsRelease.ts';
import { Cluster } from './services/cluster/cluster.ts';
import { definitionOf } from './services/cluster/resources.ts';

/** Whoever asks does not wait longer for definitions. */
const withinMs = 1_000;
const readAtATime = 4;

/** The release that a stored definition names; none where it is absent or may not be read. */
const namedBy = Effect.fnUntraced(
  function* (name: string) {
    const cluster = yield* Cluster;
    const { metadata } = yield* cluster.get(definitionOf(name), { name });
    return metadata.annotations?.[annotation.release] ?? '';
  },
  Effect.orElseSucceed(() => ''),
);

/**
 * The oldest release that the stored definitions name. Null where none names one within a second, and for a program
 * that is of no release.
 */
export const kindsRelease = (program: string): Effect.Effect<string | null, never, Cluster> =>
  isRelease(program)
    ? Effect.forEach(kinds, ({ plural }) => namedBy(`${plural}.${group}`), { concurrency: readAtATime }).pipe(
        Effect.map(oldestRelease),
        Effect.timeoutOrElse({ duration: withinMs, orElse: () => Effect.succeed(null) }),
      )
    : Effect.succeed(null);

/** Logs that the stored definitions are older than the program. */
export const olderKindsLogged = Effect.fnUntraced(function* (program: string) {
  const stored = yield* kindsRelease(program);
  const file = definitionsToApply({ program, kinds: stored });
  if (file === null) return;
  yield* Effect.logWarning('kinds older than the program').pipe(
    Effect.annotateLogs({ kinds: stored, program, apply: file }),
  );
});
