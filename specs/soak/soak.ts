import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Effect } from 'effect';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { root } from '../support/product.ts';
import { applySample } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { comesToRest } from './convergence.ts';
import { startChaos } from './chaos.ts';
import { failOverMs } from './failOver.ts';
import { consoleFaults } from './consoleFaults.ts';
import { furnishConsoles, startConsoles } from './consoles.ts';
import { type SoakProcesses, hasTerminals, startGround } from './processes.ts';
import { violationsOf, type Violation } from './violations.ts';
import { startLeases } from './leases.ts';
import { acknowledged, type Ledger, makeLedger } from './ledger.ts';
import { serviceNamed, startLoad } from './load.ts';
import { growthOf, type Held, type Meter, startMeter } from './measure.ts';
import { type Pushes, pushesTo } from './pushes.ts';
import { writesWhileQuiet } from './quiet.ts';
import { type Random, randomOf } from './random.ts';
import { startRelay } from './relay.ts';
import { restOf } from './rest.ts';
import { signInFaults, startSignIns } from './signIns.ts';
import { makeTimeline, type Timeline } from './timeline.ts';
import { startWitness, type Witness } from './witness.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly operators: number;
  readonly leaseSeconds: number;
  readonly rate: number;
  readonly mostBuilds: number;
  /** How many are pushed to, at most four. */
  readonly services: number;
  readonly quietSeconds: number;
  /** How often a leader is killed after the faults. */
  readonly times: number;
  readonly onTold?: (line: string) => void;
}

/** What a soak found, and its figures. */
export interface Soaked {
  readonly leaseSeconds: number;
  readonly violations: readonly Violation[];
  readonly timeline: Timeline;
  readonly ledger: Ledger;
  readonly held: readonly Held[];
  readonly witness: Witness;
  readonly proxied: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** With nothing else disturbed: from a leader's death to another's first pass. */
  readonly failOverMs: readonly number[];
  /** Amid all other faults: from a leader's death until somebody held the lease. */
  readonly leaderlessMs: readonly number[];
  readonly restMs: number;
  readonly told: number;
  /** Where logs and data are kept after a violation; null when there is none. */
  readonly kept: string | null;
}

/** The first is the sample's own. */
const services = ['hello', 'soak-1', 'soak-2', 'soak-3'];
const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** Builds whose name begins so only fail; some take their time. */
const containers = `- match: { container: builder, name: 'badly-*' }
  fails: 9
  afterSeconds: 0
- match: { container: builder, name: '*5-builder-*' }
  afterSeconds: 5
`;

const noGit = () => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
};

/** Real processes, real sockets, real signals: load and faults for a while, then everything is looked at. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const dir = mkdtempSync(join(tmpdir(), 'core-soak-'));
  const timeline = makeTimeline(options.onTold);
  const ledger = makeLedger();
  const relay = await startRelay(ledger, timeline);
  const random = randomOf(options.seed);
  let isClean = false;
  try {
    const processes = await startGround({ ...options, root, dir, webhookUrl: relay.url, random, timeline });
    relay.leadTo(processes.operators);
    const pushes = noGit() ? null : pushesTo(processes.gitUrl, dir);
    const running = { options, processes, ledger, timeline, pushes, random, told: relay.told };
    try {
      const found = await soakOn(running);
      isClean = found.violations.length === 0;
      if (!isClean) writeFileSync(join(dir, 'timeline.txt'), timeline.all().join('\n'));
      return {
        ...found,
        leaseSeconds: options.leaseSeconds,
        timeline,
        ledger,
        told: relay.told.size,
        kept: isClean ? null : dir,
      };
    } finally {
      await processes.stop();
    }
  } finally {
    await relay.stop();
    if (isClean) rmSync(dir, { recursive: true, force: true });
  }
}

type SoakFindings = Omit<Soaked, 'leaseSeconds' | 'timeline' | 'ledger' | 'told' | 'kept'>;

interface Running {
  readonly options: SoakOptions;
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly pushes: Pushes | null;
  readonly random: Random;
  readonly told: ReadonlySet<string>;
}

/** From this part of the time on operators are no longer killed: what they hold is only told over a life. */
const livesFrom = 0.6;

async function soakOn(running: Running): Promise<SoakFindings> {
  const { options, processes, ledger, timeline, pushes, random } = running;
  const { seconds, leaseSeconds, rate, mostBuilds, quietSeconds, times } = options;
  await furnish(running);
  const witness = startWitness(processes.direct);
  const leases = startLeases(processes, timeline);
  const meter = startMeter(processes.operators);
  const from = timeline.elapsed();
  const at = (part: number) => from + part * seconds * 1_000;
  const given = { processes, ledger, pushes, timeline };
  const load = startLoad({ ...given, rest: restOf(), random: random.fork('load'), rate, mostBuilds });
  const signIns = startSignIns({ ...given, rest: restOf(), random: random.fork('sign-ins') });
  // Without git there is no project whose service could be entered.
  const isEntered = pushes !== null && hasTerminals;
  const consoles = isEntered
    ? await startConsoles({ ...given, rest: restOf(), random: random.fork('consoles') })
    : null;
  const mayKillOperators = () => timeline.elapsed() < at(livesFrom);
  const chaos = startChaos({ ...given, leaseSeconds, leases, mayKillOperators, random: random.fork('chaos') });
  try {
    await Promise.all([new Promise((go) => setTimeout(go, seconds * 1_000)), chaos.opened]);
    await Promise.all([load.stop(), chaos.stop()]);
    // On a slow machine no sign-in may have found its way through the faults.
    await until(() => ledger.handedOver.length > 0, 'a command line is signed in', 60_000).catch(() => undefined);
    await signIns.stop();
    const clientsMet = consoles?.proxied() ?? {};
    await consoles?.stop();
    const stoppedAt = timeline.elapsed();
    const unrest = await comesToRest(running);
    const isAtRest = unrest.length === 0;
    const restMs = timeline.elapsed() - stoppedAt;
    const written = isAtRest ? await writesWhileQuiet(processes.direct, quietSeconds * 1_000) : [];
    const held = heldBy(processes, meter, {
      middle: [at(livesFrom + 0.1), at(livesFrom + 0.25)],
      end: [at(0.85), at(1)],
      rest: [timeline.elapsed() - 3_000, timeline.elapsed()],
    });
    const failOver = isAtRest ? await failOverMs({ processes, ledger, leases, times }) : [];
    return {
      violations: [
        ...unrest,
        ...emptyFaults(running, witness),
        ...violationsOf({ ...(await standing(running)), witness, ledger, now: Date.now() }),
        ...(isAtRest ? await signInFaults(processes, ledger) : []),
        ...(isAtRest ? await consoleFaults(processes, ledger, operatorKills(timeline)) : []),
        ...written,
        ...held.flatMap(growthOf),
        ...[processes.cluster, ...processes.operators].flatMap((part) => part.deaths()),
      ],
      held,
      witness,
      restMs,
      failOverMs: failOver,
      leaderlessMs: leases.failOverMs(),
      proxied: Object.fromEntries([
        ...processes.operators.map(({ name, proxy }) => [name, proxy.counts()] as const),
        ['git', processes.gitProxy.counts()],
        ...Object.entries(clientsMet),
      ]),
    };
  } finally {
    await Promise.all([load.stop(), signIns.stop(), consoles?.stop(), chaos.stop()]);
    meter.stop();
    leases.stop();
    witness.stop();
  }
}

const operatorKills = (timeline: Timeline): number =>
  timeline.count('fault', 'kill -9') - timeline.count('fault', 'kill -9 the cluster');

/** A soak in which nothing was written, built or struck has shown nothing. */
const emptyFaults = ({ ledger, timeline, pushes }: Running, witness: Witness): readonly Violation[] =>
  Object.entries({
    'writes acknowledged': acknowledged(ledger),
    'Jobs seen': witness.jobs().length,
    'command lines signed in': ledger.handedOver.length,
    'kills of the cluster': timeline.count('fault', 'kill -9 the cluster'),
    'kills of an operator': operatorKills(timeline),
    ...(pushes && hasTerminals && { 'terminals opened': ledger.typedInto.size }),
    'pauses of a leader': timeline.count('fault', 'SIGSTOP'),
  }).flatMap(([what, count]) => (count > 0 ? [] : [{ text: `an empty soak: no ${what}`, about: [] }]));

const heldBy = (processes: SoakProcesses, meter: Meter, spans: Parameters<Meter['held']>[1]): readonly Held[] =>
  processes.operators.flatMap((part) => meter.held(part, spans) ?? []);

/** The project, its connection and the services that are pushed to. */
async function furnish({ options, processes, ledger, pushes }: Running): Promise<void> {
  const { direct } = processes;
  await Effect.runPromise(direct.patch(configMaps, { name: 'simulated-nodes' }, { data: { pods: containers } }));
  if (!pushes) return;
  await applySample(direct, 'first-build.yaml');
  if (hasTerminals) await furnishConsoles(processes, restOf());
  const furnishService = async (name: string) => {
    const { commit, outcome } = await pushes.push(name);
    if (outcome.is !== 'done') throw new Error(`the first push to ${name} failed: ${outcome.why}`);
    const app = await Effect.runPromise(
      direct.create(apps, serviceNamed(name)).pipe(Effect.catchTag('AlreadyExists', () => direct.get(apps, { name }))),
    );
    ledger.services.set(name, {
      name,
      mayBeCancelled: false,
      heads: [commit],
      caches: [app.spec.build?.cache ?? false],
      recipes: [app.spec.source.git?.buildfile ?? ''],
    });
  };
  await Promise.all(services.slice(0, options.services).map(furnishService));
}

async function standing({ processes, ledger, pushes }: Running) {
  const { direct } = processes;
  const [foundBuilds, foundApps, foundJobs] = await Promise.all([
    Effect.runPromise(direct.list(builds)),
    Effect.runPromise(direct.list(apps)),
    Effect.runPromise(direct.list(jobs)),
  ]);
  const heads = new Map<string, string>();
  for (const name of pushes ? ledger.services.keys() : []) heads.set(name, (await pushes?.head(name)) ?? '');
  return { builds: foundBuilds.items, apps: foundApps.items, jobs: foundJobs.items, heads };
}
