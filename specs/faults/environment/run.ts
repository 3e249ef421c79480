import type { Plan } from '../plan/plan.ts';
import { delayOf, ofKind, type Trouble } from '../plan/trouble.ts';
import type { Operator } from '../../../runtime/operator.ts';
import { type Processes, makeProcesses } from './processes.ts';
import { causesAtRest, makeLifetimes, untoldCauses } from './causes.ts';
import type { Entry } from './log.ts';
import { makeOutside, type Outside } from './outside.ts';
import type { Planted } from './planted.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { makePlanEnvironment, type PlanEnvironment } from './planEnvironment.ts';
import type { Counters } from './counters.ts';

/** Without a write for this long, the system counts as converged. */
const quietMs = 600_000;
/** The script's condition may be found only by a check every ten minutes, whose first call may fail. */
const awaitedMs = 3 * quietMs;
/** How long a cause may outlive its fact or its moment, without a fault that delays passes. */
const outlivesMs = 5_000;
const mostTurns = 3_000;

/** The result of a plan. */
export interface Ran {
  readonly snapshot: Snapshot;
  /** All violations, as text. */
  readonly faults: readonly string[];
  /** Faults that never took effect. */
  readonly untouched: readonly Trouble[];
  readonly counters: Counters;
  readonly passes: number;
  /** The time until the last action. */
  readonly tookMs: number;
  readonly log: readonly Entry[];
}

/**
 * Runs one plan to its end: until its script is finished and nothing was written for ten minutes, or for half an hour.
 */
export async function run(plan: Plan, planted?: Planted): Promise<Ran> {
  const planEnvironment = makePlanEnvironment(plan, planted);
  const { environment, observer, counters, log, commands } = planEnvironment;
  for (const { of } of ofKind(plan.troubles, 'lags')) environment.cluster.lag({ plural: of }, true);
  const processes = makeProcesses(planEnvironment);
  const told = (thrown: unknown) => observer.fault(thrown instanceof Error ? thrown.message : String(thrown));
  await liveOn(planEnvironment, processes).catch(told);
  observer.atRest();
  for (const fault of causeFaults(planEnvironment, processes)) observer.fault(fault);
  await processes.end().catch(told);
  counters.calls.push(...processes.all().map((life) => life.calls()));
  counters.recordedCalls.push(...processes.all().map((life) => life.recordedCalls()));
  return {
    snapshot: snapshotOf(environment),
    faults: [...observer.faults(), ...commands.faults()],
    untouched: planEnvironment.untouched(),
    counters,
    passes: environment.metrics.passes(),
    log: log.entries(),
    tookMs: (log.entries().at(-1)?.at ?? 0) - (log.entries()[0]?.at ?? 0),
  };
}

/** Faults that leave every write of an Event alone. */
const harmless: readonly Trouble['is'][] = [
  'dies',
  'diesStarting',
  'twins',
  'standBy',
  'restarts',
  'handsOver',
  'hand',
  'handAfter',
];

/** The operator of the process that leads. */
const leading = (processes: Processes): Operator | undefined =>
  processes.all().findLast((life) => !life.dead() && life.started.operator.isLeading())?.started.operator;

/** What is wrong with the causes of all objects, as the process that leads sees them. */
function causeFaults({ plan, environment, time }: PlanEnvironment, processes: Processes): readonly string[] {
  const operator = leading(processes);
  if (operator === undefined) return [];
  const isTold = plan.troubles.every(({ is }) => harmless.includes(is));
  return [...causesAtRest(operator, time.wall()), ...(isTold ? untoldCauses(environment.cluster, operator) : [])];
}

/** Runs one process after the other, until the last one has nothing more to do. */
async function liveOn(planEnvironment: PlanEnvironment, processes: Processes): Promise<void> {
  const { time, observer } = planEnvironment;
  const outside = makeOutside(planEnvironment);
  const hear = lateNews(planEnvironment);
  const delayedMs = planEnvironment.plan.troubles.reduce((sum, one) => sum + delayOf(one), 0);
  const lifetimes = makeLifetimes(planEnvironment.environment.cluster, outlivesMs + delayedMs);
  const checkLifetimes = () => {
    const operator = leading(processes);
    if (operator !== undefined) for (const fault of lifetimes.look(operator, time)) observer.fault(fault);
  };
  let quietSince = time.now();
  let made = -1;
  let struck = 0;

  await processes.begin();
  for (let turn = 0; turn < mostTurns; turn++) {
    if (await processes.bury()) {
      await outside.act(null);
      await processes.begin();
      quietSince = time.now();
      continue;
    }
    const acted = planEnvironment.wakeDue() || (await outside.act(processes.serving()?.started ?? null));
    await time.settle();
    checkLifetimes();
    // After a refused call or a stale response the system may need more time to converge without a write.
    if (acted || planEnvironment.writes() !== made || planEnvironment.strikes() !== struck) quietSince = time.now();
    made = planEnvironment.writes();
    struck = planEnvironment.strikes();
    if (acted) continue;
    const checkedAt = quietSince + (outside.over() ? quietMs : awaitedMs);
    if (time.now() >= checkedAt && outside.nextAt() === Infinity) {
      if (!(await processes.renew())) return checkScript(planEnvironment, outside);
      quietSince = time.now();
      continue;
    }
    await hear();
    await moveOn(planEnvironment, Math.min(outside.nextAt(), lifetimes.nextAt()), checkedAt);
  }
  observer.fault('never comes to rest');
}

/** Moves time on to whatever comes next, or to when everything counts as converged. */
async function moveOn({ time, nextWake }: PlanEnvironment, actsAt: number, checkedAt: number): Promise<void> {
  const next = Math.min(time.next() ?? Infinity, actsAt, nextWake());
  await time.moveTo(checkedAt > time.now() ? Math.min(next, checkedAt) : next);
}

/** An external change may prevent what the script waits for from ever happening. */
function checkScript({ plan, observer }: PlanEnvironment, outside: Outside): void {
  if (!outside.over() && ofKind(plan.troubles, 'hand', 'handAfter').length === 0)
    observer.fault('the script did not come to its end');
}

/** Delayed events count as pending: in a lagging cache they arrive when time has advanced twice. */
function lateNews({ plan, environment, time, touch }: PlanEnvironment): () => Promise<void> {
  const lagging = ofKind(plan.troubles, 'lags');
  let calls = 0;
  return async () => {
    if (lagging.length === 0 || ++calls % 2 === 1) return;
    for (const trouble of lagging) {
      touch(trouble);
      environment.cluster.lag({ plural: trouble.of }, false);
      environment.cluster.lag({ plural: trouble.of }, true);
    }
    await time.settle();
  };
}
