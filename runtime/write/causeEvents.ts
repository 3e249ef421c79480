import { Clock, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { countedSince, type CauseEvent, eventOfCause, renewedEveryMs } from '../../rules/cause/event.ts';
import { isoTime } from '../../rules/time.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { causesOf } from '../step/derive.ts';
import { type EventContent, kubeEvent } from './kubeEvent.ts';

/** The Events of one object's causes that this process asked for, by their ids. */
interface Told {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly events: ReadonlyMap<string, CauseEvent>;
}

/** Keeps one Kubernetes Event for each cause of the objects that this process passes over. */
export interface CauseEvents {
  /** Adds the Events of new causes and forgets those of causes that are over. */
  readonly recorded: (resource: Resource, object: KubeObject) => void;
  readonly forget: (uid: string) => void;
  /** Forgets everything, when another process leads. */
  readonly clear: () => void;
  /** Counts the Warnings that last, every 30 minutes. */
  readonly renew: Effect.Effect<never>;
}

interface CauseEventsOptions {
  readonly add: (resource: Resource, object: KubeObject, content: EventContent) => void;
  /** Writes count and time of an Event, or creates it where it expired. */
  readonly count: (event: KubeObject) => Effect.Effect<unknown>;
}

const empty: ReadonlyMap<string, CauseEvent> = new Map();

export function causeEvents({ add, count }: CauseEventsOptions): CauseEvents {
  const told = new Map<string, Told>();

  const recorded = (resource: Resource, object: KubeObject) => {
    const { uid = '' } = object.metadata;
    const causes = causesOf(object);
    if (causes.length === 0) return void told.delete(uid);
    const before = told.get(uid)?.events ?? empty;
    const current = causes.flatMap((cause) => eventOfCause(cause) ?? []);
    for (const event of current) if (!before.has(event.id)) add(resource, object, { ...event, isOnce: true });
    told.set(uid, { resource, object, events: new Map(current.map((event) => [event.id, event])) });
  };

  const renewOne = ({ resource, object, events }: Told, now: number) =>
    Effect.forEach(
      [...events.values()].filter(({ type }) => type === 'Warning'),
      (event) =>
        count(kubeEvent(resource, object, { ...event, count: countedSince(event.at, now), lastAt: isoTime(now) })),
      { discard: true },
    );

  return {
    recorded,
    forget: (uid) => void told.delete(uid),
    clear: () => told.clear(),
    renew: Effect.forever(
      Effect.andThen(
        Effect.sleep(renewedEveryMs),
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.forEach([...told.values()], (one) => renewOne(one, now), { discard: true }),
        ),
      ),
    ),
  };
}
