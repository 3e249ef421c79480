import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsShape } from './metrics.ts';
import type { UncaughtFrom } from './uncaught.ts';

/** How many objects have a cause as their worst one. */
export interface CauseCount {
  readonly reason: string;
  readonly severity: string;
  readonly count: number;
}

/** The metrics of decision 144, counted for Prometheus. */
export interface PromMetrics extends MetricsShape {
  readonly answered: (request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  readonly leader: (read: () => Promise<boolean>) => void;
  /** Registers the seconds since the last response, by kind. */
  readonly watchAges: (read: () => ReadonlyMap<string, number>) => void;
  readonly uncaughtErrors: (read: () => Readonly<Record<UncaughtFrom, number>>) => void;
  /** Registers how many objects have a cause as their worst one, by reason and severity. */
  readonly causes: (read: () => readonly CauseCount[]) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The sources of the gauges. */
interface Sources {
  depth: () => number;
  leads: () => Promise<boolean>;
  ages: () => ReadonlyMap<string, number>;
  uncaught: () => Readonly<Record<string, number>>;
  causes: () => readonly CauseCount[];
}

function countersIn(registers: Registry[]) {
  const passes = new Counter({
    name: 'core_passes_total',
    help: 'Passes of the reconcile runtime.',
    labelNames: ['machine', 'result'],
    registers,
  });
  const passSeconds = new Histogram({
    name: 'core_pass_seconds',
    help: 'How long a pass took.',
    labelNames: ['machine'],
    buckets: quick,
    registers,
  });
  const transitions = new Counter({
    name: 'core_transitions_total',
    help: 'Moves of state machines.',
    labelNames: ['machine', 'from', 'event', 'to'],
    registers,
  });
  const refused = new Counter({
    name: 'core_transitions_refused_total',
    help: 'Moves outside the table: decided, asked for, or written by somebody else.',
    labelNames: ['machine', 'origin'],
    registers,
  });
  const ensureFailures = new Counter({
    name: 'core_ensure_failures_total',
    help: 'Failures of what the state of an object demands.',
    labelNames: ['kind', 'ensure'],
    registers,
  });
  const requests = new Histogram({
    name: 'core_http_request_seconds',
    help: 'How long an HTTP request took, a stream to its end.',
    labelNames: ['method', 'route', 'status'],
    buckets: quick,
    registers,
  });
  return { passes, passSeconds, transitions, refused, ensureFailures, requests };
}

/** Registers gauges that are read from their source on every scrape. */
function registerGauges(registers: Registry[], sources: Sources): void {
  const queued: Gauge = new Gauge({
    name: 'core_queue_depth',
    help: 'Objects that wait for a pass.',
    registers,
    collect: () => queued.set(sources.depth()),
  });
  const leader: Gauge = new Gauge({
    name: 'core_leader',
    help: 'Whether this process holds the lease and runs passes: 1 or 0.',
    registers,
    collect: async () => leader.set((await sources.leads()) ? 1 : 0),
  });
  const watchAge: Gauge<'kind'> = new Gauge({
    name: 'core_watch_age_seconds',
    help: 'Since when nothing was heard of a kind.',
    labelNames: ['kind'],
    registers,
    collect: () => {
      for (const [kind, seconds] of sources.ages()) watchAge.set({ kind }, seconds);
    },
  });
  const causes: Gauge<'reason' | 'severity'> = new Gauge({
    name: 'core_causes',
    help: 'Objects that are red or wait, by the reason and severity of their worst cause.',
    labelNames: ['reason', 'severity'],
    registers,
    collect: () => {
      causes.reset();
      for (const { reason, severity, count } of sources.causes()) causes.set({ reason, severity }, count);
    },
  });
  const uncaughtErrors: Counter<'from'> = new Counter({
    name: 'core_uncaught_errors_total',
    help: 'Errors that nobody caught, by whether a request came to one.',
    labelNames: ['from'],
    registers,
    collect: () => {
      uncaughtErrors.reset();
      for (const [from, count] of Object.entries(sources.uncaught())) uncaughtErrors.inc({ from }, count);
    },
  });
}

/** Counts in its own registry, so that several can run in one process. */
export function promMetrics(): PromMetrics {
  const registry = new Registry();
  const { passes, passSeconds, transitions, refused, ensureFailures, requests } = countersIn([registry]);
  const sources: Sources = {
    depth: () => 0,
    leads: () => Promise.resolve(false),
    ages: () => new Map(),
    uncaught: () => ({}),
    causes: () => [],
  };
  registerGauges([registry], sources);

  return {
    passed: (machine, result, seconds) => {
      passes.inc({ machine, result });
      passSeconds.observe({ machine }, seconds);
    },
    moved: (machine, from, event, to) => transitions.inc({ machine, from, event, to }),
    refused: (machine, origin) => refused.inc({ machine, origin }),
    ensureFailed: (kind, ensure) => ensureFailures.inc({ kind, ensure }),
    queueDepth: (read) => void (sources.depth = read),
    leader: (read) => void (sources.leads = read),
    watchAges: (read) => void (sources.ages = read),
    causes: (read) => void (sources.causes = read),
    uncaughtErrors: (read) => void (sources.uncaught = read),
    answered: ({ method, route, status, seconds }) =>
      // Clients may send arbitrary methods, which must not become labels.
      requests.observe({ method: methods.has(method) ? method : 'other', route, status }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
