import { Context, Effect } from 'effect';
import type { CoreBuild } from '../crds/coreBuild.ts';
import type { KubeObject } from '../crds/kind.ts';
import { annotation } from '../crds/names.ts';
import { historyOf } from '../runtime/history.ts';
import type { Gate } from '../runtime/gate.ts';
import { builds } from '../runtime/kinds.ts';
import { jobs } from '../runtime/resources.ts';
import { Away, Cluster, type ClusterShape, Conflict } from '../runtime/services/cluster.ts';
import { ObjectStore, type ObjectStoreShape } from '../runtime/services/objectStore.ts';
import type { Started } from '../runtime/start.ts';
import { type VirtualTime, virtualTime } from './support/virtualTime.ts';
import { makeWorld, type World } from './support/world.ts';

/** Something done from outside once its moment has come: by hand, or as a command that is repeated until answered. */
export interface Act {
  readonly when: (build: CoreBuild, world: World) => boolean;
  readonly hand?: (world: World, build: CoreBuild) => void;
  readonly command?: 'cancelAsked' | 'rebuildAsked' | 'pushed';
}

/** How the Job that was created as the n-th ends, some seconds after it was created. */
export type JobEnd =
  | { readonly is: 'pushes'; readonly by: 'message' | 'log' }
  | { readonly is: 'pushesNothing' }
  | { readonly is: 'fails' }
  | { readonly is: 'never' };

/** One life of a build, told from outside. */
export interface Path {
  readonly name: string;
  readonly given: (world: World) => void;
  readonly script: readonly Act[];
  readonly jobs: (index: number) => JobEnd;
  /** The phase in which it comes to rest. */
  readonly ends: 'Succeeded' | 'Failed' | 'Cancelled';
  /** How else it may end when it was disturbed, because the documents let it. */
  readonly mayEnd: readonly ((end: End) => Partial<End>)[];
}

/** What befalls the n-th write of the operator (Kubernetes Events do not count). */
export interface Blow {
  readonly at: number;
  /**
   * `dies`: the process ends before the write; `diesAfter`: after it was done, before its answer; `lost`: the write is
   * done and the answer lost, the process lives; `refused`: 503; `conflict`: 409, as if somebody had written between.
   */
  readonly is: 'dies' | 'diesAfter' | 'lost' | 'refused' | 'conflict';
}

/** A path, the blows it takes one after the other, and how the world is made harder. */
export interface Plan {
  readonly path: Path;
  readonly blows: readonly Blow[];
  /** The cache of Jobs hears of nothing until time has moved on twice. */
  readonly lagging: boolean;
  /** A second operator runs over the same cluster, as when a lease had two holders. */
  readonly twins: boolean;
}

/** Where a plan ended: what the world must agree on, and what must never have been. */
export interface End {
  readonly build: Readonly<Record<string, unknown>>;
  readonly jobs: number;
  readonly stored: readonly string[];
  /** Writes after each restart, the first life first. */
  readonly writes: readonly number[];
  /** Everything that must not be, in words. */
  readonly faults: readonly string[];
}

const jobTakesMs = 7_000;
const quietMs = 300_000;
const mostTurns = 2_000;
const digestOfJob = (index: number) => `sha256:${(index + 1).toString(16).padStart(64, '0')}`;
const runOf = (object: KubeObject) => object.metadata.annotations?.[annotation.run] ?? '';
const firstBuild = (world: World) => world.cluster.all(builds)[0];

/** The gate of one process: counts its writes, and deals it the blow that is due. */
class Process {
  dead = false;
  writes = 0;
  private readonly blow: Blow | undefined;
  constructor(blow: Blow | undefined) {
    this.blow = blow;
  }
  readonly gate: Gate = {
    through: (write) =>
      Effect.suspend(() => {
        if (this.dead) return Effect.never;
        if (write.startsWith('create Event')) return Effect.void;
        this.writes++;
        if (this.blow?.at !== this.writes) return Effect.void;
        if (this.blow.is === 'dies') {
          this.dead = true;
          return Effect.never;
        }
        return this.blow.is === 'refused' ? Effect.fail(new Away({ why: '503' })) : Effect.void;
      }),
    close: () => {},
  };
  /** A write as this process makes it, between the gate and its answer. */
  readonly through = <A, E>(write: Effect.Effect<A, E>, conflict?: () => E, away?: () => E): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const struck = this.blow?.at === this.writes ? this.blow.is : undefined;
      if (struck === 'conflict' && conflict) return Effect.fail(conflict());
      return Effect.flatMap(write, (answer) => {
        if (struck === 'diesAfter') {
          this.dead = true;
          return Effect.never;
        }
        return struck === 'lost' && away ? Effect.fail(away()) : Effect.succeed(answer);
      });
    });
}

function struckCluster(cluster: ClusterShape, process: Process): ClusterShape {
  const away = () => new Away({ why: 'the answer was lost' });
  const conflict = () => new Conflict({ what: 'somebody wrote in between' });
  return {
    ...cluster,
    create: (resource, object) =>
      resource.kind === 'Event'
        ? cluster.create(resource, object)
        : process.through(cluster.create(resource, object), undefined, away),
    patch: (...given) => process.through(cluster.patch(...given), conflict, away),
    patchStatus: (...given) => process.through(cluster.patchStatus(...given), conflict, away),
    remove: (...given) => process.through(cluster.remove(...given), conflict, away),
  };
}

const struckStore = (store: ObjectStoreShape, process: Process): ObjectStoreShape => ({
  ...store,
  put: (...given) => process.through(store.put(...given)),
});

/** One plan under way. */
interface Stage {
  readonly plan: Plan;
  readonly world: World;
  readonly time: VirtualTime;
  readonly watcher: Watcher;
}

/** Looks at every version a build ever had, and remembers what must not be. */
class Watcher {
  readonly faults = new Set<string>();
  readonly runs: string[] = [];
  private readonly world: World;
  private version = '';
  private readonly given: number;
  constructor(world: World) {
    this.world = world;
    this.given = this.jobsCreated().length;
  }
  jobsCreated() {
    return this.world.cluster.created.filter(({ plural }) => plural === jobs.plural);
  }

  /** Called after every write, whoever wrote. */
  look(): void {
    const build = firstBuild(this.world);
    if (!build || build.metadata.resourceVersion === this.version) return;
    this.version = build.metadata.resourceVersion ?? '';
    const { startedAt, imageDigest, phase, completedAt } = build.status ?? {};
    const newest = this.runs.at(-1);
    if (startedAt && startedAt !== newest) {
      if (newest !== undefined && startedAt <= newest) this.faults.add(`run ${startedAt} is not later than ${newest}`);
      this.runs.push(startedAt);
    }
    if (imageDigest) {
      const index = this.jobsCreated().findLastIndex(({ object }) => runOf(object) === startedAt);
      if (phase !== 'Succeeded') this.faults.add(`a digest in ${phase}`);
      else if (imageDigest !== digestOfJob(index)) this.faults.add(`the digest of another run in ${phase}`);
    }
    if (completedAt && phase !== 'Succeeded') this.faults.add(`completedAt in ${phase}`);
    const told = historyOf(build).findLast(({ machine }) => machine === 'build');
    if (told?.event === 'movedOutside') this.faults.add(`told as outside the table: ${told.from} → ${told.to}`);
  }

  /** What must not be once everything is at rest. */
  atRest(ends: Path['ends']): void {
    const { phase, startedAt } = firstBuild(this.world)?.status ?? {};
    if (phase !== ends) this.faults.add(`rests in ${phase}, not in ${ends}`);
    if (phase === 'Cancelled' && this.world.cluster.all(jobs).length > 0)
      this.faults.add('a cancelled build has a Job');
    const counts = new Map<string, number>();
    for (const { object } of this.jobsCreated().slice(this.given))
      counts.set(runOf(object), (counts.get(runOf(object)) ?? 0) + 1);
    for (const [run, count] of counts) {
      if (count > 1) this.faults.add(`${count} Jobs of one run`);
      if (!this.runs.includes(run)) this.faults.add('a Job of a run that was never claimed');
    }
    for (const job of this.world.cluster.all(jobs))
      if (runOf(job) !== startedAt) this.faults.add('a Job of another run is left');
    for (const { metadata } of this.world.bucket.values())
      if (metadata['core-run'] !== startedAt) this.faults.add('the log of another run is archived');
    for (const refused of this.world.metrics.refused)
      if (refused !== 'build asked') this.faults.add(`refused: ${refused}`);
  }
}

/** Starts a process and lets it come to rest at this moment, or die. */
async function startProcess({ world, time, watcher }: Stage, blow: Blow | undefined) {
  const process = new Process(blow);
  const struck = struckCluster(world.cluster, process);
  const seen = <A, E>(write: Effect.Effect<A, E>) => Effect.tap(write, () => Effect.sync(() => watcher.look()));
  const services = world.services.pipe(
    Context.add(Cluster, { ...struck, patchStatus: (...given) => seen(struck.patchStatus(...given)) }),
    Context.add(ObjectStore, struckStore(Context.get(world.services, ObjectStore), process)),
  );
  const started = await time.wait(world.start(process.gate, time.over(services)));
  await time.settle();
  return { process, started };
}

/** The people and the nodes outside: each acts when the world is at rest for the moment. */
function makeOutside({ plan, world, time, watcher }: Stage) {
  const due = new Map<string, number>();
  let next = 0;
  let unanswered = false;

  const endJobs = (): boolean => {
    const build = firstBuild(world);
    const job = world.cluster.all(jobs).find(({ metadata }) => metadata.name === `${build?.metadata.name}-builder`);
    for (const uid of due.keys()) if (uid !== job?.metadata.uid) due.delete(uid);
    if (!build || !job || runOf(job) === '' || job.status?.conditions) return false;
    const { uid = '' } = job.metadata;
    const index = watcher.jobsCreated().findIndex(({ object }) => object.metadata.uid === uid);
    const end = plan.path.jobs(index);
    if (end.is === 'never') return false;
    const at = due.get(uid) ?? time.now() + jobTakesMs;
    due.set(uid, at);
    if (time.now() < at) return false;
    const digest = digestOfJob(index);
    const byMessage = end.is === 'pushes' && end.by === 'message';
    world.cluster.logs.set(
      `${job.metadata.name}-${uid}`,
      end.is === 'pushes' && end.by === 'log' ? `built\nPushed ${build.spec.registry}@${digest}\n` : 'built\n',
    );
    world.endJob(build.metadata.name, end.is === 'fails' ? 'Failed' : 'Complete', byMessage ? digest : '');
    due.delete(uid);
    return true;
  };

  const ask = async (started: Started | null, event: string, name: string): Promise<boolean> => {
    const controller = started?.operator.controllers.find(({ resource }) => resource.kind === 'CoreBuild');
    const lifecycle = controller?.lifecycles[0];
    if (!started || !controller || !lifecycle) return false;
    const asked = started.operator.move(controller, lifecycle, name, { event, by: 'ada', text: 'asked' });
    let answered = false;
    // A process that dies never answers: whoever asked asks again.
    void Effect.runPromise(
      Effect.matchEffect(asked, {
        onSuccess: () => Effect.sync(() => (answered = true)),
        onFailure: ({ _tag }) => Effect.sync(() => (answered = _tag === 'NoArrow')),
      }),
    );
    await time.settle();
    return answered;
  };

  /** Whether anything was done. */
  const act = async (started: Started | null): Promise<boolean> => {
    if (endJobs()) return true;
    const build = firstBuild(world);
    const coming = plan.path.script[next];
    if (!build || !coming) return false;
    if (!coming.when(build, world)) {
      // What was asked for has come to pass, though nobody answered.
      if (unanswered) next++;
      unanswered = false;
      return false;
    }
    if (coming.command) {
      unanswered = !(await ask(started, coming.command, build.metadata.name));
      if (unanswered) return started !== null;
      next++;
    } else {
      coming.hand?.(world, build);
      next++;
    }
    watcher.look();
    return true;
  };
  const nextAt = () => Math.min(...due.values());
  const over = () => next + (unanswered ? 1 : 0) >= plan.path.script.length;
  return { act, nextAt, over };
}

/** Runs one plan to its end: until the world has been at rest for five minutes. */
export async function runPlan(plan: Plan): Promise<End> {
  const time = virtualTime();
  const world = makeWorld();
  plan.path.given(world);
  const watcher = new Watcher(world);
  const stage: Stage = { plan, world, time, watcher };
  const outside = makeOutside(stage);
  if (plan.lagging) world.cluster.lag(jobs, true);

  const blows = [...plan.blows];
  const writes: number[] = [];
  const twin = plan.twins ? await startProcess(stage, undefined) : null;
  let life = await startProcess(stage, blows.shift());
  let quietSince = time.now();
  let written = -1;
  let ticks = 0;

  for (let turn = 0; ; turn++) {
    if (turn > mostTurns) {
      watcher.faults.add('never comes to rest');
      break;
    }
    watcher.look();
    if (life.process.dead) {
      await time.wait(life.started.crash());
      writes.push(life.process.writes);
      await outside.act(null);
      life = await startProcess(stage, blows.shift());
      quietSince = time.now();
      continue;
    }
    const acted = await outside.act(life.started);
    await time.settle();
    const total = life.process.writes + (twin?.process.writes ?? 0);
    if (acted || total !== written) quietSince = time.now();
    written = total;
    if (acted) continue;
    if (time.now() - quietSince >= quietMs) break;
    // Late news are still news: they come when time has moved on twice.
    if (plan.lagging && ++ticks % 2 === 0) {
      world.cluster.lag(jobs, false);
      world.cluster.lag(jobs, true);
      await time.settle();
    }
    await time.moveTo(Math.min(time.next() ?? Infinity, outside.nextAt(), quietSince + quietMs));
  }

  writes.push(life.process.writes);
  if (!outside.over()) watcher.faults.add('the script did not come to its end');
  watcher.atRest(plan.path.ends);
  for (const one of [life, twin]) if (one) await time.wait(one.started.crash());
  return endOf(stage, writes);
}

/** Fields that name moments or runs differ between two plans and say nothing. */
function endOf({ world, watcher }: Stage, writes: readonly number[]): End {
  const build = firstBuild(world);
  const { history: _, startedAt, completedAt, imageDigest, ...status } = build?.status ?? {};
  return {
    build: { ...status, claimed: Boolean(startedAt), completed: Boolean(completedAt), pushed: Boolean(imageDigest) },
    jobs: world.cluster.all(jobs).length,
    stored: [...world.bucket.keys()].toSorted(),
    writes,
    faults: [...watcher.faults].toSorted(),
  };
}
