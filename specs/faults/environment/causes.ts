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
import type { VirtualTime } from '../../support/virtualTime.ts';
import { keptSecret } from './keptSecret.ts';
import type { TestEnvironment } from '../../support/environment.ts';

/** Shorter values are words that any text may have. */
const shortestSecret = 6;

const identityOf = ({ of, reason, on }: StoredCause): string => JSON.stringify([of, reason, on]);
const namesOf = (object: KubeObject): string =>
  causesOf(object)
    .map(({ reason }) => reason)
    .join(', ') || 'none';

/** Observes the causes of every version of every object, and their Events. */
interface CauseObserver {
  readonly look: (object: KubeObject) => readonly string[];
  readonly atRest: () => readonly string[];
}

interface CauseEventSeen extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly involvedObject?: { readonly uid?: string };
}

/** A cause that stays keeps its beginning, names no value of a Secret, and has one Event a beginning at most. */
export function makeCauseObserver({ cluster }: Pick<TestEnvironment, 'cluster'>): CauseObserver {
  const last = new Map<string, readonly StoredCause[]>();
  /** The beginnings of each reason of an object. */
  const begun = new Map<string, Set<string>>();

  const begunAnew = (object: KubeObject, before: readonly StoredCause[], causes: readonly StoredCause[]) =>
    causes.flatMap((cause) => {
      const earlier = before.find((one) => identityOf(one) === identityOf(cause));
      return earlier === undefined || earlier.since === cause.since
        ? []
        : [`${keyOf(object)} begins ${cause.reason} anew, which it has since ${earlier.since}`];
    });
  const isOfSecret = (text: string) =>
    keptSecret(cluster).some((value) => value.length >= shortestSecret && text.includes(value));
  return {
    look: (object) => {
      const { uid = '' } = object.metadata;
      const before = last.get(uid) ?? [];
      const causes = causesOf(object);
      if (isSameJson(before, causes)) return [];
      last.set(uid, causes);
      for (const cause of causes) {
        const key = `${uid} ${cause.reason}`;
        begun.set(key, (begun.get(key) ?? new Set()).add(`${identityOf(cause)} ${cause.since}`));
      }
      return [
        ...begunAnew(object, before, causes),
        ...(isOfSecret(JSON.stringify(causes)) ? [`${keyOf(object)} has a value of a Secret in its causes`] : []),
      ];
    },
    atRest: () => {
      const warned = new Map<string, number>();
      for (const { metadata, type, reason = '', involvedObject } of cluster.all<CauseEventSeen>(events)) {
        if (type !== 'Warning' || !metadata.name.includes('.cause.')) continue;
        const key = `${involvedObject?.uid ?? ''} ${reason}`;
        warned.set(key, (warned.get(key) ?? 0) + 1);
      }
      return [...warned].flatMap(([key, times]) => {
        const right = begun.get(key)?.size ?? 0;
        return times <= right ? [] : [`${key} has ${times} Warnings, and began ${right} times`];
      });
    },
  };
}

const reasonsOfTries: readonly string[] = ['ClusterRefused', 'ForeignObject', 'QuotaExceeded', 'NamespaceTerminating'];

/** A cause of a failed action or of a refused removal, which only the next try can end. */
const isOfTry = ({ reason, severity, gaveUp }: StoredCause): boolean =>
  gaveUp !== true && (reasonsOfTries.includes(reason) || (reason === 'DeletionWaits' && severity === 'failure'));

/** The recorded causes that a pass would not find now, and when they change by time alone (ms). */
function outlivedIn({ caches, controllers }: Operator, now: number, cluster: MemoryCluster) {
  // An event that comes twice may bring an object into the cache once more after it was removed.
  const isStored = ({ metadata }: KubeObject, resource: Parameters<MemoryCluster['all']>[0]) =>
    cluster.all(resource).some((one) => one.metadata.uid === metadata.uid);
  const outlived: string[] = [];
  let changesAt = Infinity;
  for (const controller of controllers) {
    if (controller.causes === undefined) continue;
    const deriving = derivingNow({ reader: caches, now: isoTime(now) });
    for (const object of ownAmong(controller, caches.of(controller.resource).list())) {
      const causes = causesOf(object);
      if (causes.length === 0 || !isStored(object, controller.resource)) continue;
      const fresh = derived(controller, object, deriving);
      const found = causesOf(fresh.object).map(identityOf);
      changesAt = Math.min(changesAt, fresh.changesAt ?? Infinity);
      outlived.push(
        ...causes
          .filter((cause) => !isOfTry(cause))
          .filter((cause) => !found.includes(identityOf(cause)))
          .map((cause) => `${keyOf(object)} ${object.metadata.uid} ${identityOf(cause)} ${cause.since}`),
      );
    }
  }
  return { outlived, changesAt };
}

/** Observes causes that outlive their fact or their moment by more than this. */
export function makeLifetimes(cluster: MemoryCluster, mostMs: number) {
  /** Since when a recorded cause is not found any more, by the cause. */
  let over = new Map<string, number>();
  let nextAt = Infinity;
  return {
    look: (operator: Operator, { now, wall }: Pick<VirtualTime, 'now' | 'wall'>): readonly string[] => {
      const { outlived, changesAt } = outlivedIn(operator, wall(), cluster);
      const at = now();
      over = new Map(outlived.map((cause) => [cause, over.get(cause) ?? at]));
      const ends = [...over.values(), changesAt - wall() + at].map((end) => end + mostMs + 1);
      nextAt = Math.min(...ends.filter((end) => end > at));
      return [...over].filter(([, since]) => at > since + mostMs).map(([cause]) => `outlives its fact: ${cause}`);
    },
    /** When it has to look again (ms). */
    nextAt: () => nextAt,
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
  const stored = new Set(cluster.all(events).map(({ metadata }) => metadata.name));
  return controllers.flatMap((controller) =>
    controller.causes === undefined
      ? []
      : cluster.all(controller.resource).flatMap((object) =>
          causesOf(object)
            .flatMap((cause) => eventOfCause(cause) ?? [])
            .filter((event) => !stored.has(kubeEvent(controller.resource, object, event).metadata.name))
            .map(({ reason }) => `${keyOf(object)} has no Event ${reason}`),
        ),
  );
};
