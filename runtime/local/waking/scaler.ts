import { type Demanded, jsonAt, numberAt, type Place, type Store, type Stored, textAt } from '../../embedded/index.ts';
import { logLine } from '../../services/log.ts';
import { copiesFor, type Needed, nextCheck, type Scaling, wantedCopies, withNeed } from './copies.ts';
import { isDeleting } from '../../../rules/deleting.ts';

const buckets = { scalers: 'keda.sh/scaledobjects', routes: 'http.keda.sh/interceptorroutes' } as const;
const deployments = 'apps/deployments';
/** KEDA's defaults. */
const usual = { cooldownSeconds: 300, mostCopies: 100, perCopy: 100 } as const;
/** The longest delay of a timer. */
const longestWaitMs = 2 ** 31 - 1;

interface Cluster {
  readonly store: Store;
  readonly onDemand: (listener: (demand: readonly Demanded[]) => void) => void;
}

/**
 * Starts and stops the copies of services that may sleep, as KEDA does: by the current requests in the wake proxy, and
 * those within the cooldown.
 */
export function startScaler({ store, onDemand }: Cluster, now: () => number = Date.now) {
  /** The needed copies of each object, by uid. */
  const needs = new Map<string, Needed>();
  /** The current requests of each route. */
  const requests = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function scaleAll(peaks: ReadonlyMap<string, number> = new Map()) {
    clearTimeout(timer);
    if (isStopped) return;
    const scalers = store.list(buckets.scalers).filter((one) => !isDeleting(one));
    const uids = new Set(scalers.map(({ metadata }) => metadata.uid));
    for (const uid of needs.keys()) if (!uids.has(uid)) needs.delete(uid);
    const next = scalers.map((scaler) => scaleOne(scaler, peaks)).filter((at) => at !== null);
    if (next.length > 0)
      timer = setTimeout(scaleAll, Math.min(longestWaitMs, Math.max(0, Math.min(...next) - now()))).unref();
  }

  /** Scales one workload; returns when to check it without an event, or null for never. */
  function scaleOne(scaler: Stored, peaks: ReadonlyMap<string, number>): number | null {
    const { uid, namespace = '' } = scaler.metadata;
    if (!isTakenUp(scaler)) void takeUp(scaler);
    const target = placeOf(deployments, namespace, textAt(scaler, 'spec', 'scaleTargetRef', 'name'));
    const deployment = store.get(target);
    if (!deployment) return null;
    const route = placeOf(buckets.routes, namespace, routeOf(scaler));
    const scaling = scalingOf(scaler, store.get(route));
    const key = `${namespace}/${route.name}`;
    const copies = replicasOf(deployment);
    // For a new object the running copies count as needed, so they stop after a full cooldown.
    const before = needs.get(uid) ?? withNeed(new Map(), Math.min(copies, scaling.most), now(), scaling);
    const asked = Math.max(requests.get(key) ?? 0, peaks.get(key) ?? 0);
    const needed = withNeed(before, copiesFor(asked, scaling), now(), scaling);
    needs.set(uid, needed);
    const wanted = wantedCopies(needed, scaling);
    if (wanted !== copies) void scale(target, wanted);
    return nextCheck(needed, scaling);
  }

  const scale = (target: Place, replicas: number) =>
    leniently(
      store.update(target, (old) =>
        replicasOf(old) === replicas ? old : { ...old, spec: { ...jsonAt(old, 'spec'), replicas } },
      ),
      target,
    );

  const takeUp = ({ metadata: { namespace = '', name } }: Stored) => {
    const place = placeOf(buckets.scalers, namespace, name);
    return leniently(
      store.update(place, (old) => (isTakenUp(old) ? old : { ...old, status: { conditions: [isReady] } })),
      place,
    );
  };

  onDemand((demand) => {
    for (const [route, , count] of demand)
      if (count > 0) requests.set(route, count);
      else requests.delete(route);
    scaleAll(new Map(demand.map(([route, most]) => [route, most])));
  });
  const forget = store.onChange(({ bucket }) => {
    if (bucket === buckets.scalers || bucket === buckets.routes) scaleAll();
    else if (bucket === deployments && needs.size > 0) scaleAll();
  });
  scaleAll();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      forget();
    },
  };
}

const isReady = {
  type: 'Ready',
  status: 'True',
  reason: 'ScaledObjectReady',
  message: 'ScaledObject is defined correctly and is ready for scaling',
} as const;

const isTakenUp = (scaler: Stored): boolean => textAt(scaler, 'status', 'conditions', 0, 'status') === 'True';
const placeOf = (bucket: string, namespace: string, name: string): Place => ({ bucket, namespace, name });
const replicasOf = (deployment: Stored): number => numberAt(deployment, 'spec', 'replicas');
const routeOf = (scaler: Stored): string => textAt(scaler, 'spec', 'triggers', 0, 'metadata', 'interceptorRoute');

function scalingOf(scaler: Stored, route: Stored | undefined): Scaling {
  const spec = jsonAt(scaler, 'spec');
  const number = (field: string, otherwise: number) => Number(spec[field] ?? otherwise);
  return {
    least: number('minReplicaCount', 0),
    most: number('maxReplicaCount', usual.mostCopies),
    perCopy: numberAt(route, 'spec', 'scalingMetric', 'concurrency', 'targetValue') || usual.perCopy,
    cooldownMs: number('cooldownPeriod', usual.cooldownSeconds) * 1_000,
  };
}

/** Ignores an object that was deleted meanwhile; logs any other failure, which the next change retries. */
async function leniently(writing: Promise<unknown>, { namespace, name }: Place): Promise<void> {
  try {
    await writing;
  } catch (why) {
    if ((why as { readonly code?: number }).code !== 404)
      logLine('warn', 'failed to count copies of sleeping services', {
        namespace,
        name,
        why: String(why),
      });
  }
}
