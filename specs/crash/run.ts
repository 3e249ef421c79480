import { Context, Effect } from 'effect';
import { jobs } from '../../runtime/resources.ts';
import { Cluster } from '../../runtime/services/cluster.ts';
import type { Started } from '../../runtime/start.ts';
import { type VirtualTime, virtualTime } from '../support/virtualTime.ts';
import { makeWorld, type World } from '../support/world.ts';
import { makeOutside } from './outside.ts';
import type { Blow, End, Plan } from './plan.ts';
import { type Fate, struck } from './struck.ts';
import { buildOf, makeWatcher, type Watcher } from './watcher.ts';

/** At rest for so long, without one write, is at rest for ever: longer than any look of a build. */
const quietMs = 600_000;
const mostTurns = 2_000;

/** One plan under way. */
interface Stage {
  readonly plan: Plan;
  readonly world: World;
  readonly time: VirtualTime;
  readonly watcher: Watcher;
}

interface Life {
  readonly fate: Fate;
  readonly started: Started;
}

/** Starts a process and lets it come to rest at this moment, or die. */
async function startLife({ world, time, watcher }: Stage, blow: Blow | undefined): Promise<Life> {
  const { fate, gate, services } = struck(world.services, blow);
  const cluster = Context.get(services, Cluster);
  const watched = Context.add(services, Cluster, {
    ...cluster,
    patchStatus: (...given) => Effect.tap(cluster.patchStatus(...given), () => Effect.sync(watcher.look)),
  });
  const started = await time.wait(world.start(gate, time.over(watched)));
  await time.settle();
  return { fate, started };
}

/** Runs one plan to its end: until nothing was written for ten minutes. */
export async function runPlan(plan: Plan): Promise<End> {
  const time = virtualTime();
  const world = makeWorld();
  plan.path.given(world);
  const stage: Stage = { plan, world, time, watcher: makeWatcher(world) };
  if (plan.lagging) world.cluster.lag(jobs, true);
  const twin = plan.twins ? await startLife(stage, undefined) : null;
  const lives = await liveOn(stage, twin);
  stage.watcher.atRest(plan.path.ends);
  for (const life of [lives.at(-1), twin]) if (life) await time.wait(life.started.crash());
  return endOf(
    stage,
    lives.map(({ fate }) => fate.writes),
  );
}

/** One process after the other, until the last one has nothing more to do. */
async function liveOn(stage: Stage, twin: Life | null): Promise<readonly Life[]> {
  const { plan, world, time, watcher } = stage;
  const outside = makeOutside(plan.path, world, time);
  const hear = lateNews(stage);
  const lives: Life[] = [];
  let quietSince = time.now();
  let written = -1;

  for (let turn = 0; turn < mostTurns; turn++) {
    watcher.look();
    let life = lives.at(-1);
    if (!life || life.fate.dead) {
      if (life) await time.wait(life.started.crash());
      if (life) await outside.act(null);
      life = await startLife(stage, plan.blows[lives.length]);
      lives.push(life);
      quietSince = time.now();
      continue;
    }
    const acted = await outside.act(life.started);
    await time.settle();
    const total = lives.reduce((sum, { fate }) => sum + fate.writes, twin?.fate.writes ?? 0);
    if (acted || total !== written) quietSince = time.now();
    written = total;
    if (acted) continue;
    if (time.now() - quietSince >= quietMs) {
      if (!outside.over()) watcher.fault('the script did not come to its end');
      return lives;
    }
    await hear();
    await time.moveTo(Math.min(time.next() ?? Infinity, outside.nextAt(), quietSince + quietMs));
  }
  watcher.fault('never comes to rest');
  return lives;
}

/** Late news are still news: where the cache lags they come when time has moved on twice. */
function lateNews({ plan, world, time }: Stage): () => Promise<void> {
  let calls = 0;
  return async () => {
    if (!plan.lagging || ++calls % 2 === 1) return;
    world.cluster.lag(jobs, false);
    world.cluster.lag(jobs, true);
    await time.settle();
  };
}

/** Fields that name moments or runs differ between two plans and say nothing. */
function endOf({ world, watcher }: Stage, writes: readonly number[]): End {
  const { history: _, startedAt, completedAt, imageDigest, ...status } = buildOf(world)?.status ?? {};
  return {
    build: { ...status, claimed: Boolean(startedAt), completed: Boolean(completedAt), pushed: Boolean(imageDigest) },
    jobs: world.cluster.all(jobs).length,
    stored: [...world.bucket.keys()].toSorted(),
    writes,
    faults: [...watcher.faults].toSorted(),
  };
}
