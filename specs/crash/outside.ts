import { Effect } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { jobs } from '../../runtime/resources.ts';
import type { Started } from '../../runtime/start.ts';
import type { VirtualTime } from '../support/virtualTime.ts';
import type { World } from '../support/world.ts';
import type { JobEnd, Path } from './plan.ts';
import { buildOf, digestOfJob, jobsCreated, runOf } from './watcher.ts';

const jobTakesMs = 7_000;

/** The people and the nodes outside: each acts when the world is at rest for the moment. */
export interface Outside {
  /** Whether anything was done; `started` is null while no operator runs. */
  readonly act: (started: Started | null) => Promise<boolean>;
  /** When a Job ends, infinitely late when none runs. */
  readonly nextAt: () => number;
  /** Whether the script came to its end. */
  readonly over: () => boolean;
}

export function makeOutside(path: Path, world: World, time: VirtualTime): Outside {
  const nodes = makeNodes(path, world, time);
  let next = 0;
  let unanswered = false;

  const actOut = async (build: CoreBuild, started: Started | null): Promise<boolean> => {
    const coming = path.script[next];
    if (!coming) return false;
    if (!coming.when(build, world)) {
      // What was asked for has come to pass, though nobody answered.
      if (unanswered) next++;
      unanswered = false;
      return false;
    }
    coming.hand?.(world, build);
    unanswered = coming.command !== undefined && !(await ask(started, coming.command, build.metadata.name, time));
    if (unanswered) return started !== null;
    next++;
    return true;
  };

  return {
    act: async (started) => {
      const build = buildOf(world);
      return build !== undefined && (nodes.endJob(build) || (await actOut(build, started)));
    },
    nextAt: nodes.nextAt,
    over: () => next + (unanswered ? 1 : 0) >= path.script.length,
  };
}

/** Asks one thing of a running operator. A process that dies never answers: whoever asked asks again. */
async function ask(started: Started | null, event: string, name: string, time: VirtualTime): Promise<boolean> {
  const controller = started?.operator.controllers.find(({ resource }) => resource.kind === 'CoreBuild');
  const lifecycle = controller?.lifecycles[0];
  if (!started || !controller || !lifecycle) return false;
  let answered = false;
  const answer = (is: boolean) =>
    Effect.sync(() => {
      answered = is;
    });
  void Effect.runPromise(
    Effect.matchEffect(started.operator.move(controller, lifecycle, name, { event, by: 'ada', text: 'asked' }), {
      onSuccess: () => answer(true),
      onFailure: ({ _tag }) => answer(_tag === 'NoArrow'),
    }),
  );
  await time.settle();
  return answered;
}

/** The nodes: each Job ends some seconds after it was created, as its path says. */
function makeNodes(path: Path, world: World, time: VirtualTime) {
  const due = new Map<string, number>();

  const running = (build: CoreBuild) =>
    world.cluster
      .all(jobs)
      .find(
        (job) => job.metadata.name === `${build.metadata.name}-builder` && runOf(job) !== '' && !job.status?.conditions,
      );

  const endNow = (build: CoreBuild, pod: string, index: number, end: JobEnd) => {
    const digest = digestOfJob(index);
    const pushed = end.is === 'pushes' ? end.by : null;
    world.cluster.logs.set(pod, pushed === 'log' ? `built\nPushed ${build.spec.registry}@${digest}\n` : 'built\n');
    world.endJob(build.metadata.name, end.is === 'fails' ? 'Failed' : 'Complete', pushed === 'message' ? digest : '');
  };

  return {
    endJob: (build: CoreBuild): boolean => {
      const job = running(build);
      const { uid = '', name = '' } = job?.metadata ?? {};
      for (const gone of due.keys()) if (gone !== uid) due.delete(gone);
      const index = jobsCreated(world).findIndex(({ object }) => object.metadata.uid === uid);
      const end = path.jobs(index);
      if (!job || end.is === 'never') return false;
      const at = due.get(uid) ?? time.now() + jobTakesMs;
      due.set(uid, at);
      if (time.now() < at) return false;
      endNow(build, `${name}-${uid}`, index, end);
      due.delete(uid);
      return true;
    },
    nextAt: () => Math.min(...due.values()),
  };
}
