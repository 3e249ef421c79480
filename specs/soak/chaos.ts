import type { SoakProcesses, OperatorPart } from './processes.ts';
import { acknowledged, type Ledger } from './ledger.ts';
import type { Leases } from './leases.ts';
import type { Part } from './part.ts';
import type { Proxy, Weather } from './proxy.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface ChaosOptions {
  readonly processes: SoakProcesses;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly leaseSeconds: number;
  readonly leases: Leases;
  readonly ledger: Ledger;
  /** Whether operators are still killed: their memory is only told over a stretch of life. */
  readonly mayKillOperators: () => boolean;
}

/** Faults, one after another, until they are told to stop; then the world is whole again. */
export interface Chaos {
  /** Resolves when the first faults, of the kinds no soak goes without, have struck. */
  readonly opened: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A part that was started again is mostly left to work for so long, and waited for no longer than that. */
const settlesWithinMs = 2_500;
const waitsForPartMs = 8_000;
const lookMs = 100;
const waitsForWriteMs = 4_000;
const pauseMs = { least: 400, most: 2_000 };
const storms: readonly Weather[] = [
  {},
  { dropped: 10, reset: 10, halfClosed: 10, slow: 10, swallowed: 5 },
  { dropped: 40, reset: 10 },
  { slow: 60 },
  { reset: 20, swallowed: 20 },
];

/** How often each fault stands in the deck. The deck is drawn to its end before it is shuffled anew. */
const deck = {
  killCluster: 2,
  killLeader: 2,
  killStandBy: 1,
  pauseLeader: 2,
  weather: 4,
  resetAll: 2,
  blackHole: 1,
} as const;
type Fault = keyof typeof deck;
const opening: readonly Fault[] = ['killLeader', 'killCluster', 'pauseLeader'];

export function startChaos(options: ChaosOptions): Chaos {
  const { processes, random, timeline, leaseSeconds, leases, ledger, mayKillOperators } = options;
  const parts: readonly Part[] = [processes.cluster, ...processes.operators];
  const proxies: readonly Proxy[] = [...processes.operators.map(({ proxy }) => proxy), processes.gitProxy];
  let isStopping = false;
  let wake = () => {};
  const wait = (ms: number) =>
    new Promise<void>((go) => {
      const timer = setTimeout(go, isStopping ? 0 : ms);
      wake = () => {
        clearTimeout(timer);
        go();
      };
    });
  const tell = (text: string) => timeline.tell('fault', text);

  /** Since when a part runs, as far as was seen. */
  const readySince = new Map<string, number>();
  const isSettled = (part: Part) => {
    if (!part.isReady() || part.isPaused()) readySince.delete(part.name);
    else if (!readySince.has(part.name)) readySince.set(part.name, timeline.elapsed());
    return timeline.elapsed() - (readySince.get(part.name) ?? Number.POSITIVE_INFINITY) >= settlesWithinMs;
  };
  /** Whether a part is there to be struck: most of the time one that works, now and then one that only starts. */
  const isStruck = async (part: Part) => {
    const atOnce = random.holds(0.1);
    const until = timeline.elapsed() + waitsForPartMs;
    while (!isStopping && !atOnce && !isSettled(part) && timeline.elapsed() < until) await wait(lookMs);
    return !isStopping && part.pid() !== null;
  };

  /** What was acknowledged a moment ago is what a kill would lose first. */
  const nextWrite = async () => {
    const before = acknowledged(ledger);
    const until = timeline.elapsed() + waitsForWriteMs;
    while (!isStopping && acknowledged(ledger) === before && timeline.elapsed() < until) await wait(1);
  };

  const operatorThat = (led: boolean): OperatorPart | undefined => {
    const leader = leases.leader();
    return random.pick(processes.operators.filter((one) => leader === null || (one === leader) === led));
  };
  const killOperator = async (led: boolean) => {
    const part = operatorThat(led);
    if (!part || !(await isStruck(part))) return;
    readySince.delete(part.name);
    tell(`kill -9 the ${part === leases.leader() ? 'leader' : 'stand-by'}, ${part.name}`);
    leases.dies(part);
    part.kill();
  };

  const doing: Readonly<Record<Fault, () => void | Promise<void>>> = {
    killCluster: async () => {
      if (!(await isStruck(processes.cluster))) return;
      await nextWrite();
      readySince.delete(processes.cluster.name);
      tell('kill -9 the cluster');
      processes.cluster.kill();
    },
    killLeader: () => killOperator(true),
    killStandBy: () => killOperator(false),
    pauseLeader: async () => {
      const part = operatorThat(true);
      if (!part || !(await isStruck(part))) return;
      const ms = Math.round(leaseSeconds * 1_000 * (1.2 + random.next()));
      tell(`SIGSTOP ${part.name} for ${ms} ms`);
      part.pause();
      await wait(ms);
      part.resume();
      tell(`SIGCONT ${part.name}`);
    },
    weather: () => {
      const operator = random.pick([...processes.operators, undefined]);
      const weather = random.pick(storms) ?? {};
      tell(`weather of ${operator?.name ?? 'the Git host'}: ${JSON.stringify(weather)}`);
      (operator?.proxy ?? processes.gitProxy).weather(weather);
    },
    resetAll: () => {
      const operator = random.pick(processes.operators);
      if (operator) tell(`reset of ${operator.proxy.resetAll()} connections of ${operator.name}`);
    },
    blackHole: () => {
      const operator = random.pick(processes.operators);
      const ms = random.between(1_000, Math.round(leaseSeconds * 1_500));
      tell(`black hole between ${operator?.name ?? 'nobody'} and the cluster for ${ms} ms`);
      operator?.proxy.blackHole(ms);
    },
  };

  let drawn: readonly Fault[] = random.shuffled(opening);
  const draw = (): Fault => {
    if (drawn.length === 0)
      drawn = random.shuffled((Object.keys(deck) as Fault[]).flatMap((one) => Array<Fault>(deck[one]).fill(one)));
    const [fault = 'weather', ...rest] = drawn;
    drawn = rest;
    return fault;
  };
  const mayBe = (fault: Fault) => mayKillOperators() || (fault !== 'killLeader' && fault !== 'killStandBy');

  let open = () => {};
  const opened = new Promise<void>((done) => (open = done));
  const turn = async () => {
    for (let count = 0; !isStopping; count++) {
      if (count === opening.length) open();
      await wait(random.between(pauseMs.least, pauseMs.most));
      parts.forEach(isSettled);
      const fault = draw();
      if (!isStopping && (count < opening.length || mayBe(fault))) await doing[fault]();
    }
  };
  const turning = turn();
  return {
    opened,
    stop: async () => {
      if (isStopping) return turning;
      isStopping = true;
      wake();
      await turning;
      for (const proxy of proxies) proxy.stopFaults();
      tell('faults have stopped');
    },
  };
}
