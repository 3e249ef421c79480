import { type Trouble } from '../plan/trouble.ts';
import { ofKind } from '../plan/trouble.ts';
import type { Plan } from '../plan/plan.ts';
import { type Life, startLife } from './life.ts';
import type { Entry } from './log.ts';
import { makeOutside } from './outside.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import type { Planted } from './planted.ts';
import { makeStage, type Stage } from './stage.ts';
import type { Tally } from './tally.ts';

/** At rest for so long, without one write, is at rest for ever. */
const quietMs = 600_000;
const mostTurns = 3_000;

/** How a plan went. */
export interface Ran {
  readonly snapshot: Snapshot;
  /** Everything that must not be, in words. */
  readonly faults: readonly string[];
  /** Troubles that touched nothing. */
  readonly untouched: readonly Trouble[];
  readonly tally: Tally;
  readonly passes: number;
  readonly log: readonly Entry[];
}

/** Runs one plan to its end: until nothing was written for ten minutes. */
export async function run(plan: Plan, planted?: Planted): Promise<Ran> {
  const stage = makeStage(plan, planted);
  const { world, time, watcher, tally, log } = stage;
  for (const { of } of ofKind(plan.troubles, 'lags')) world.cluster.lag({ plural: of }, true);
  const lives = await liveOn(stage).catch((thrown: unknown) => {
    watcher.fault(thrown instanceof Error ? thrown.message : String(thrown));
    return [];
  });
  watcher.atRest();
  for (const life of lives) if (!life.dead()) await time.wait(life.started.crash());
  tally.calls.push(...lives.map((life) => life.calls()));
  return {
    snapshot: snapshotOf(world),
    faults: watcher.faults(),
    untouched: stage.untouched(),
    tally,
    passes: world.metrics.passes(),
    log: log.entries(),
  };
}

/** One process after the other, until the last one has nothing more to do. */
async function liveOn(stage: Stage): Promise<readonly Life[]> {
  const { plan, time, watcher, tally } = stage;
  const outside = makeOutside(stage);
  const hear = lateNews(stage);
  const deaths = ofKind(plan.troubles, 'dies');
  const two = ofKind(plan.troubles, 'twins', 'standBy');
  const lives: Life[] = [];
  const begin = async () => {
    lives.push(await startLife(stage, lives.length, deaths[lives.length]));
  };
  const living = () => lives.filter((life) => !life.dead());
  let buried = 0;
  let quietSince = time.now();
  let made = -1;

  await begin();
  if (two[0]) {
    stage.touch(two[0]);
    // The second one dies of nothing: what befalls a successor befalls the first.
    lives.push(await startLife(stage, lives.length, undefined));
  }
  for (let turn = 0; turn < mostTurns; turn++) {
    const died = lives.filter((life) => life.dead());
    if (died.length > buried) {
      for (const life of died.slice(buried)) await time.wait(life.started.crash());
      buried = died.length;
      await outside.act(null);
      await begin();
      quietSince = time.now();
      continue;
    }
    const acted = stage.wakeDue() || (await outside.act(living()[0]?.started ?? null));
    await time.settle();
    if (acted || tally.writes !== made) quietSince = time.now();
    made = tally.writes;
    if (acted) continue;
    if (time.now() - quietSince >= quietMs && outside.nextAt() === Infinity) {
      if (!outside.over() && ofKind(plan.troubles, 'hand', 'handAfter').length === 0)
        watcher.fault('the script did not come to its end');
      return lives;
    }
    await hear();
    const judgedAt = quietSince + quietMs;
    const next = Math.min(time.next() ?? Infinity, outside.nextAt(), stage.nextWake());
    await time.moveTo(judgedAt > time.now() ? Math.min(next, judgedAt) : next);
  }
  watcher.fault('never comes to rest');
  return lives;
}

/** Late news are still news: where a cache lags they come when time has moved on twice. */
function lateNews({ plan, world, time, touch }: Stage): () => Promise<void> {
  const lagging = ofKind(plan.troubles, 'lags');
  let calls = 0;
  return async () => {
    if (lagging.length === 0 || ++calls % 2 === 1) return;
    for (const trouble of lagging) {
      touch(trouble);
      world.cluster.lag({ plural: trouble.of }, false);
      world.cluster.lag({ plural: trouble.of }, true);
    }
    await time.settle();
  };
}
