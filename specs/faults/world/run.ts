import type { Plan } from '../plan/plan.ts';
import { ofKind, type Trouble } from '../plan/trouble.ts';
import { type Crew, makeCrew } from './crew.ts';
import type { Entry } from './log.ts';
import { makeOutside, type Outside } from './outside.ts';
import type { Planted } from './planted.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { makeStage, type Stage } from './stage.ts';
import type { Tally } from './tally.ts';

/** At rest for so long, without one write, is at rest for ever. */
const quietMs = 600_000;
/** Something the script waits for is found by asking every ten minutes, and the first time may fail. */
const awaitedMs = 3 * quietMs;
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
  /** Until the last thing that anybody did. */
  readonly tookMs: number;
  readonly log: readonly Entry[];
}

/** Runs one plan to its end: until its script is over and nothing was written for ten minutes, or for half an hour. */
export async function run(plan: Plan, planted?: Planted): Promise<Ran> {
  const stage = makeStage(plan, planted);
  const { world, watcher, tally, log } = stage;
  for (const { of } of ofKind(plan.troubles, 'lags')) world.cluster.lag({ plural: of }, true);
  const crew = makeCrew(stage);
  await liveOn(stage, crew).catch((thrown: unknown) => {
    watcher.fault(thrown instanceof Error ? thrown.message : String(thrown));
  });
  watcher.atRest();
  await crew.end();
  tally.calls.push(...crew.all().map((life) => life.calls()));
  return {
    snapshot: snapshotOf(world),
    faults: watcher.faults(),
    untouched: stage.untouched(),
    tally,
    passes: world.metrics.passes(),
    log: log.entries(),
    tookMs: (log.entries().at(-1)?.at ?? 0) - (log.entries()[0]?.at ?? 0),
  };
}

/** One process after the other, until the last one has nothing more to do. */
async function liveOn(stage: Stage, crew: Crew): Promise<void> {
  const { time, watcher } = stage;
  const outside = makeOutside(stage);
  const hear = lateNews(stage);
  let quietSince = time.now();
  let made = -1;
  let toCome = -1;

  await crew.begin();
  for (let turn = 0; turn < mostTurns; turn++) {
    if (await crew.bury()) {
      await outside.act(null);
      await crew.begin();
      quietSince = time.now();
      continue;
    }
    const acted = stage.wakeDue() || (await outside.act(crew.serving()?.started ?? null));
    await time.settle();
    const untouched = ofKind(stage.untouched(), 'git', 'store', 'staleList').length;
    // What was refused or shown wrongly just now may need its time to come right without a write.
    if (acted || stage.writes() !== made || untouched !== toCome) quietSince = time.now();
    made = stage.writes();
    toCome = untouched;
    if (acted) continue;
    const judgedAt = quietSince + (outside.over() ? quietMs : awaitedMs);
    if (time.now() >= judgedAt && outside.nextAt() === Infinity) return judgeScript(stage, outside);
    await hear();
    const next = Math.min(time.next() ?? Infinity, outside.nextAt(), stage.nextWake());
    await time.moveTo(judgedAt > time.now() ? Math.min(next, judgedAt) : next);
  }
  watcher.fault('never comes to rest');
}

/** What was changed by hand may keep what the script waits for from ever coming. */
function judgeScript({ plan, watcher }: Stage, outside: Outside): void {
  if (!outside.over() && ofKind(plan.troubles, 'hand', 'handAfter').length === 0)
    watcher.fault('the script did not come to its end');
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
