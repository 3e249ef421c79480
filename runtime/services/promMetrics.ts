import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsShape } from './metrics.ts';
import type { UncaughtFrom } from './uncaught.ts';

/** The metrics of decision 144, counted for Prometheus. */
export interface PromMetrics extends MetricsShape {
  readonly answered: (request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
  readonly leader: (read: () => Promise<boolean>) => void;
  /** Seconds since something was heard, by kind. */
  readonly watchAges: (read: () => ReadonlyMap<string, number>) => void;
  readonly uncaughtErrors: (read: () => Readonly<Record<UncaughtFrom, number>>) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts in a registry of its own, so that several run in one process. */
export function promMetrics(): PromMetrics {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  let depth = () => 0;
  let leads = () => Promise.resolve(false);
  let ages = (): ReadonlyMap<string, number> => new Map();
  let uncaught = (): Readonly<Record<string, number>> => ({});

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
  const queued: Gauge = new Gauge({
    name: 'core_queue_depth',
    help: 'Objects that wait for a pass.',
    registers,
    collect: () => queued.set(depth()),
  });
  const leader: Gauge = new Gauge({
    name: 'core_leader',
    help: 'Whether this process holds the lease and runs passes: 1 or 0.',
    registers,
    collect: async () => leader.set((await leads()) ? 1 : 0),
  });
  const watchAge: Gauge<'kind'> = new Gauge({
    name: 'core_watch_age_seconds',
    help: 'Since when nothing was heard of a kind.',
    labelNames: ['kind'],
    registers,
    collect: () => {
      for (const [kind, seconds] of ages()) watchAge.set({ kind }, seconds);
    },
  });

  const uncaughtErrors: Counter<'from'> = new Counter({
    name: 'core_uncaught_errors_total',
    help: 'Errors that nobody caught, by whether a request came to one.',
    labelNames: ['from'],
    registers,
    collect: () => {
      uncaughtErrors.reset();
      for (const [from, count] of Object.entries(uncaught())) uncaughtErrors.inc({ from }, count);
    },
  });

  return {
    passed: (machine, result, seconds) => {
      passes.inc({ machine, result });
      passSeconds.observe({ machine }, seconds);
    },
    moved: (machine, from, event, to) => transitions.inc({ machine, from, event, to }),
    refused: (machine, origin) => refused.inc({ machine, origin }),
    ensureFailed: (kind, ensure) => ensureFailures.inc({ kind, ensure }),
    queueDepth: (read) => void (depth = read),
    leader: (read) => void (leads = read),
    watchAges: (read) => void (ages = read),
    uncaughtErrors: (read) => void (uncaught = read),
    answered: ({ method, route, status, seconds }) =>
      // Clients may send invented methods; the metric does not grow with them.
      requests.observe({ method: methods.has(method) ? method : 'other', route, status }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
