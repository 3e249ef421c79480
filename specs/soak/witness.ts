import { Effect, Stream } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Job } from '../../crds/builtIn.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import type { Pod } from '../../crds/builtIn.ts';
import { jobs, pods } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape, Resource } from '../../runtime/services/cluster/cluster.ts';

/** A build as it was seen last, and every move of it that was ever seen. */
export interface SeenBuild {
  readonly name: string;
  readonly uid: string;
  readonly last: CoreBuild;
  readonly moves: ReadonlyMap<number, HistoryEntry>;
}

/** One Job: of which build, of which run. */
interface SeenJob {
  readonly uid: string;
  readonly name: string;
  readonly build: string;
  readonly run: string;
}

/** Watches builds, Jobs and pods past the proxies, and forgets nothing. */
export interface Witness {
  readonly builds: () => readonly SeenBuild[];
  readonly jobs: () => readonly SeenJob[];
  /** What the builders of a Job's pods left behind. */
  readonly digestsOf: (jobUid: string) => ReadonlySet<string>;
  /** Moves that were rewritten after they had been seen. */
  readonly rewritten: () => readonly string[];
  readonly stop: () => void;
}

const againAfterMs = 50;
const silenceMs = 60_000;

export function startWitness(cluster: ClusterShape): Witness {
  const seenBuilds = new Map<
    string,
    { name: string; uid: string; last: CoreBuild; moves: Map<number, HistoryEntry> }
  >();
  const seenJobs = new Map<string, SeenJob>();
  const digests = new Map<string, Set<string>>();
  const rewritten: string[] = [];
  const stopped = new AbortController();

  const seeBuild = (build: CoreBuild) => {
    const { uid = '', name } = build.metadata;
    const seen = seenBuilds.get(uid) ?? { name, uid, last: build, moves: new Map<number, HistoryEntry>() };
    seenBuilds.set(uid, seen);
    if (Number(build.metadata.resourceVersion) >= Number(seen.last.metadata.resourceVersion)) seen.last = build;
    for (const move of build.status?.history ?? []) {
      const known = seen.moves.get(move.seq);
      if (known === undefined) seen.moves.set(move.seq, move);
      else if (JSON.stringify(known) !== JSON.stringify(move))
        rewritten.push(
          `${name}: move ${move.seq} was ${known.event} at ${known.at}, later ${move.event} at ${move.at}`,
        );
    }
  };
  const seeJob = ({ metadata }: Job) => {
    const { uid = '', name } = metadata;
    if (seenJobs.has(uid)) return;
    const build = metadata.ownerReferences?.find(({ kind }) => kind === 'CoreBuild')?.uid ?? '';
    seenJobs.set(uid, { uid, name, build, run: metadata.annotations?.[annotation.run] ?? '' });
  };
  const seePod = ({ metadata, status }: Pod) => {
    const job = metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.uid ?? '';
    const message = status?.containerStatuses?.find(({ name }) => name === 'builder')?.state?.terminated?.message ?? '';
    const [digest] = /sha256:[0-9a-f]{64}/.exec(message) ?? [];
    if (digest !== undefined) digests.set(job, (digests.get(job) ?? new Set()).add(digest));
  };

  const follow = <O extends KubeObject>(resource: Resource<O>, see: (object: O) => void) =>
    Effect.gen(function* () {
      const { items, resourceVersion } = yield* cluster.list(resource);
      items.forEach(see);
      yield* Stream.runForEach(cluster.watch(resource, { resourceVersion, silenceMs }), (change) =>
        Effect.sync(() => change.type !== 'bookmark' && see(change.object)),
      );
    }).pipe(Effect.ignore, Effect.andThen(Effect.sleep(againAfterMs)), Effect.forever);

  Effect.runPromise(
    Effect.all([follow(builds, seeBuild), follow(jobs, seeJob), follow(pods, seePod)], { concurrency: 'unbounded' }),
    { signal: stopped.signal },
  ).catch(() => {});
  return {
    builds: () => [...seenBuilds.values()],
    jobs: () => [...seenJobs.values()],
    digestsOf: (jobUid) => digests.get(jobUid) ?? new Set(),
    rewritten: () => rewritten,
    stop: () => stopped.abort(),
  };
}
