import { Context, Effect, Exit, Fiber, Scope } from 'effect';
import * as assert from 'uvu/assert';
import type { Pod } from '../../../../crds/builtIn.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { ownLabels } from '../../../../rules/owned/ownedObject.ts';
import { definitions } from '../../../../runtime/controllers/database/kinds.ts';
import { runAddons } from '../../../../runtime/local/addons/addons.ts';
import { builtIn } from '../../../../runtime/local/addons/builtIn.ts';
import { instanceClaim, instancePod, roleLabel } from '../../../../runtime/local/addons/postgres/objects.ts';
import type { Condition, Server } from '../../../../runtime/local/addons/postgres/server.ts';
import { templateOf } from '../../../../runtime/local/addons/postgres/template.ts';
import { rulesMap } from '../../../../runtime/local/addons/rulesMap.ts';
import { pods } from '../../../../runtime/services/cluster/resources.ts';
import { Cluster, type ClusterShape, Refused } from '../../../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../../../support/memoryCluster.ts';
import { until } from '../../../support/until.ts';
import { type Status, statusOf, type Trace, type TraceEvent } from './trace.ts';
import { postgresClusters } from '../../../../runtime/owned/addonKinds.ts';

const claims = builtIn('PersistentVolumeClaim', 'persistentvolumeclaims');
const name = 'orders';
const namespace = systemNamespace;
/** Keeps a pod that is being deleted until its node has ended it. */
const node = 'spec.test/node';
const patience = 20_000;
/** After so long without an event the operator has handled all that came before. */
const restSeconds = 10;

interface ReplayOptions {
  /** The server hangs until its spec is changed a second time. */
  readonly hangs?: boolean;
  /** No volume grows. */
  readonly refusesGrowth?: boolean;
  /** What was recorded goes on. */
  readonly isEndless?: boolean;
}

/** Plays the part of everybody but the operator in a trace, and holds what the operator reports to it. */
export async function replay(
  trace: Trace,
  { hangs = false, refusesGrowth = false, isEndless = false }: ReplayOptions = {},
): Promise<void> {
  const memory = memoryCluster();
  const reported: Status[] = [];
  let before: Status = trace.before;
  memory.onChange((changed) => {
    if (changed.kind !== 'Cluster') return;
    const now = statusOf(changed);
    const changes = changesOf(before, now);
    if (Object.keys(changes).length > 0) reported.push(changes);
    before = now;
  });
  const pod = (instance: string) => memory.all(pods).find(({ metadata }) => metadata.name === instance);
  const put = (one: Pod | undefined, status: object, metadata: object = {}) => {
    assert.ok(one);
    memory.put(pods, { ...one, metadata: { ...one.metadata, ...metadata }, status } as KubeObject);
  };
  const rule = (isHanging: boolean) =>
    memory.put(rulesMap, {
      metadata: { name: 'simulated-addons', namespace },
      data: { rules: JSON.stringify(isHanging ? [{ match: name, hang: true }] : []) },
    });

  const setPodState = (instance: string, is: string) => {
    if (is === 'running') put(pod(instance), { phase: 'Running' }, { finalizers: [node] });
    if (is === 'ready') put(pod(instance), answering);
    if (is === 'gone') put(pod(instance), {}, { finalizers: [] });
  };
  const act = ({ patch, lose }: NonNullable<TraceEvent['does']>) => {
    if (lose !== undefined) {
      put(pod(lose), {}, { finalizers: [] });
      memory.drop(pods, lose, namespace);
    }
    if (patch !== undefined)
      return Effect.runPromise(memory.patch(postgresClusters, { name, namespace }, { spec: patch }));
    return undefined;
  };
  const next = async (event: TraceEvent) => {
    const { status, does, pod: instance = '', is, role } = event;
    const what = JSON.stringify(event);
    if (does) await act(does);
    if (is === 'pending') await until(() => pod(instance) !== undefined, what, patience);
    if (is === 'terminating')
      await until(() => pod(instance)?.metadata.deletionTimestamp !== undefined, what, patience);
    if (is !== undefined) setPodState(instance, is);
    if (role !== undefined) await until(() => pod(instance)?.metadata.labels?.[roleLabel] === role, what, patience);
    if (status === undefined) return;
    await until(() => reported.length > 0, what, patience);
    assert.equal(reported.shift(), status, what);
  };

  memory.put(definitions, { metadata: { name: 'clusters.postgresql.cnpg.io' } });
  rule(hangs);
  begin(trace, memory, put);
  reported.length = 0;
  before = trace.before;
  const scope = Scope.makeUnsafe();
  const cluster: ClusterShape = refusesGrowth ? withoutGrowth(memory) : memory;
  const context = Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, scope));
  const running = Effect.runFork(Effect.provideContext(runAddons(null), context));
  try {
    let patches = 0;
    let previousAt = 0;
    for (const event of trace.events) {
      if (event.at - previousAt > restSeconds) await settled();
      previousAt = event.at;
      await next(event);
      // Not before: it would come up with what was asked for first.
      if (event.does?.patch && ++patches === 2) rule(false);
    }
    if (isEndless) return;
    await settled();
    assert.equal(reported, [], 'nothing follows');
  } finally {
    await Effect.runPromise(Fiber.interrupt(running));
    await Effect.runPromise(Scope.close(scope, Exit.void));
  }
}

/** Waits until the operator has handled every event that was sent. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

const answering = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

/** The server of a trace as it stood before. */
function begin({ spec, before }: Trace, memory: ReturnType<typeof memoryCluster>, put: PutPod): void {
  const { Initialized, Ready, ContinuousArchiving, LastBackupSucceeded, ...status } = before;
  const conditions = Object.entries({ Initialized, Ready, ContinuousArchiving, LastBackupSucceeded }).flatMap(
    ([type, text]) => conditionOf(type, text),
  );
  const server = memory.put(postgresClusters, {
    metadata: { name, namespace, labels: ownLabels({ kind: 'CoreDatabase', name }) },
    spec,
    ...(status.image === undefined ? {} : { status: { ...status, conditions } }),
  } as Server);
  const template = templateOf(server, spec.imageName ?? '');
  for (const instance of status.instanceNames ?? []) {
    const role = instance === status.currentPrimary ? 'primary' : 'replica';
    const made = instancePod(server, instance, { template, images: null });
    memory.put(claims, instanceClaim(server, instance));
    put(made, answering, { finalizers: [node], labels: { ...made.metadata.labels, [roleLabel]: role } });
  }
}

type PutPod = (pod: Pod, status: object, metadata: object) => void;

function conditionOf(type: string, text: string | null | undefined): readonly Condition[] {
  const [, status = '', reason = '', message = ''] = /^(\S+) (\S+): (.*)$/.exec(text ?? '') ?? [];
  return status === '' ? [] : [{ type, status, reason, message }];
}

/** What differs; null where a field is gone. */
function changesOf(before: Status, now: Status): Status {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)]) as ReadonlySet<keyof Status>;
  const differing = [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]));
  return Object.fromEntries(differing.map((field) => [field, now[field] ?? null]));
}

const withoutGrowth = (memory: ClusterShape): ClusterShape => ({
  ...memory,
  patch: (resource, ...given) =>
    resource.kind === 'PersistentVolumeClaim'
      ? Effect.fail(new Refused({ status: 403, message: 'the class lets no volume grow' }))
      : memory.patch(resource, ...given),
});
