import { Context, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Provision, ReconcileRetry } from '../../crds/provisioning.ts';
import { type Condition, conditionOf } from '../../rules/condition.ts';
import { everyKind } from '../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import { Cluster, type ClusterShape, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { virtualTime } from './virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from './environment.ts';

interface Provisioned extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly provision?: Provision;
    readonly reconcileRetry?: ReconcileRetry;
  };
}

/** What one object lives in. */
interface SessionOptions<O> {
  readonly resource: Resource<O & KubeObject>;
  readonly name: string;
  /** Of which the first is that of the object. */
  readonly controllers: readonly Controller[];
  readonly prepare: (environment: TestEnvironment) => void;
  /** What stands between the operator and the cluster. */
  readonly through?: (cluster: ClusterShape) => ClusterShape;
}

/** An object and the operator over it, in a prepared environment. Time advances only on request. */
export async function startSession<O extends Provisioned>({ resource, name: ofName, ...given }: SessionOptions<O>) {
  const { controllers, prepare, through = (cluster: ClusterShape) => cluster } = given;
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  prepare(environment);
  const messages: string[] = [];
  const seen: O[] = [];
  environment.cluster.onChange((changed) => {
    if (changed.kind !== resource.kind || changed.metadata.name !== ofName) return;
    seen.push(changed as O);
    const message = conditionOf(changed, 'Ready')?.message ?? '';
    if (message !== '' && message !== messages.at(-1)) messages.push(message);
  });
  const begin = async (over: (cluster: ClusterShape) => ClusterShape) => {
    const services = time.over(Context.add(environment.services, Cluster, over(environment.cluster)));
    const begun = await time.wait(environment.start(undefined, services));
    await time.settle();
    return begun;
  };
  let process = await begin(through);
  const found = () => environment.cluster.all(resource).find(({ metadata }) => metadata.name === ofName);
  const object = (): O => {
    const live = found();
    if (!live) throw new Error(`${ofName} is gone`);
    return live;
  };
  const ready = () => conditionOf(object(), 'Ready');
  const machineOf = (machine: string) => {
    const [controller] = process.operator.controllers;
    const lifecycle = controller?.lifecycles.find(({ name }) => name === machine);
    if (!controller || !lifecycle) throw new Error(`no machine ${machine}`);
    return { controller, lifecycle };
  };
  return {
    environment,
    time,
    operator: () => process.operator,
    /** The process dies, and another one takes over, perhaps through a cluster that does not do all it is asked. */
    crash: async (over: (cluster: ClusterShape) => ClusterShape = through) => {
      await time.wait(process.crash());
      process = await begin(over);
    },
    found,
    object,
    phase: () => object().status?.phase ?? '',
    message: () => ready()?.message ?? '',
    ready: () => `${ready()?.status ?? ''} ${ready()?.reason ?? ''}`,
    moves: (machine: string) =>
      historyOf(object())
        .filter((move) => move.machine === machine)
        .map(({ from, event, to }) => `${from} ${event} ${to}`),
    /** Every version so far. */
    seen,
    /** Every Ready message so far. */
    messages,
    attempts: () => object().status?.provision?.provisionAttempts ?? [],
    /** Advances time, with everything that happens in it. */
    pass: async (seconds: number) => {
      const until = time.now() + seconds * 1_000;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    /** Makes an external change and lets its immediate effects happen. */
    edit: async (act: (environment: TestEnvironment) => void) => {
      act(environment);
      await time.settle();
      await time.moveTo(time.now() + 2_000);
    },
    /** Whether a timer waits for the object, and not only the events that concern it. */
    hasTimer: () =>
      process.operator.controllers[0] !== undefined &&
      process.operator.requeueAt(process.operator.controllers[0], ofName) !== undefined,
    /** What a machine of it says of where it stands. */
    explained: async (machine: string) => {
      const { controller, lifecycle } = machineOf(machine);
      const explained = await time.wait(Effect.runPromise(process.operator.explain(controller, lifecycle, ofName)));
      return explained.says.text;
    },
    /** Sends a command to one of its machines; resolves with the refusal, or null. */
    ask: async (machine: string, asked: string | { readonly is: string }) => {
      const { operator } = process;
      const { controller, lifecycle } = machineOf(machine);
      const moved = operator.move(controller, lifecycle, ofName, { asked, by: 'admin' });
      const answered = await time.wait(
        Effect.runPromise(
          Effect.match(moved, {
            onSuccess: () => null,
            onFailure: (failure) => {
              if (failure._tag === 'CommandRejected') return failure;
              throw new Error(failure._tag);
            },
          }),
        ),
      );
      return answered;
    },
    /** Deletes an object as kubectl does. */
    remove: async (of: Resource = resource, name: string = ofName, namespace?: string) => {
      await Effect.runPromise(environment.cluster.remove(of, { name, ...(namespace && { namespace }) }));
      await time.settle();
      await time.moveTo(time.now() + 2_000);
    },
    end: () => time.wait(process.crash()),
  };
}
