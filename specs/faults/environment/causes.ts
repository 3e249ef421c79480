import type { StoredCause } from '../../../crds/cause.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { eventOfCause } from '../../../rules/cause/event.ts';
import { isSameJson } from '../../../rules/sameJson.ts';
import { isoTime } from '../../../rules/time.ts';
import { derivingNow, ownAmong } from '../../../runtime/contract/controller.ts';
import type { Operator } from '../../../runtime/operator.ts';
import { events } from '../../../runtime/services/cluster/resources.ts';
import { causesOf, derived } from '../../../runtime/step/derive.ts';
import { kubeEvent } from '../../../runtime/write/kubeEvent.ts';
import { keyOf, type MemoryCluster } from '../../support/memoryCluster.ts';

const identityOf = ({ of, reason, on }: StoredCause): string => JSON.stringify([of, reason, on]);
const namesOf = (object: KubeObject): string =>
  causesOf(object)
    .map(({ reason }) => reason)
    .join(', ') || 'none';

/** Observes the causes of every version of every object: one that stays keeps its beginning. */
export function makeCauseObserver(): (object: KubeObject) => readonly string[] {
  const last = new Map<string, readonly StoredCause[]>();
  return (object) => {
    const key = `${keyOf(object)} ${object.metadata.uid}`;
    const before = last.get(key) ?? [];
    const causes = causesOf(object);
    last.set(key, causes);
    return causes.flatMap((cause) => {
      const earlier = before.find((one) => identityOf(one) === identityOf(cause));
      return earlier === undefined || earlier.since === cause.since
        ? []
        : [`${keyOf(object)} begins ${cause.reason} anew, which it has since ${earlier.since}`];
    });
  };
}

/** What is wrong with the recorded causes once everything rests, over the caches of the process that leads. */
export const causesAtRest = ({ caches, controllers }: Operator, now: number): readonly string[] =>
  controllers.flatMap((controller) => {
    if (controller.causes === undefined) return [];
    const deriving = derivingNow({ reader: caches, now: isoTime(now) });
    return ownAmong(controller, caches.of(controller.resource).list()).flatMap((object) => {
      const fresh = derived(controller, object, deriving).object;
      return isSameJson(causesOf(object), causesOf(fresh))
        ? []
        : [`${keyOf(object)} rests with the causes ${namesOf(object)}, a fresh pass finds ${namesOf(fresh)}`];
    });
  });

/** Causes without their Event, though nothing kept it from being written. */
export const untoldCauses = (cluster: MemoryCluster, { controllers }: Operator): readonly string[] => {
  const told = new Set(cluster.all(events).map(({ metadata }) => metadata.name));
  return controllers.flatMap((controller) =>
    controller.causes === undefined
      ? []
      : cluster.all(controller.resource).flatMap((object) =>
          causesOf(object)
            .flatMap((cause) => eventOfCause(cause) ?? [])
            .filter((event) => !told.has(kubeEvent(controller.resource, object, event).metadata.name))
            .map(({ reason }) => `${keyOf(object)} has no Event ${reason}`),
        ),
  );
};
