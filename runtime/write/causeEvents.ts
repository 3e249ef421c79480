import { Clock, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { countedSince, type CauseEvent, eventOfCause, renewedEveryMs } from '../../rules/cause/event.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { causesOf } from '../step/derive.ts';
import { type EventContent, kubeEvent } from './kubeEvent.ts';

/** The Events of one object's causes that this process asked for, by their ids. */
interface Reported {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly events: ReadonlyMap<string, CauseEvent>;
}

/** An object before and after a pass, which ended at `now`. */
export interface Passed {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly now: number;
}

/** Keeps one Kubernetes Event for each cause of the objects that this process passes over. */
export interface CauseEvents {
  /** Adds the Events of causes that a pass recorded, and forgets those of causes that are over. */
  readonly recorded: (resource: Resource, passed: Passed) => void;
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

/** A process that ended within this time of a status write may not have written the Event. */
const writtenWithinMs = 60_000;

const eventsOf = (object: KubeObject): ReadonlyMap<string, CauseEvent> =>
  new Map(
    causesOf(object)
      .flatMap((cause) => eventOfCause(cause) ?? [])
      .map((event) => [event.id, event]),
  );

export function causeEvents({ add, count }: CauseEventsOptions): CauseEvents {
  const reported = new Map<string, Reported>();

  const recorded = (resource: Resource, { before, after, now }: Passed) => {
    const { uid = '' } = after.metadata;
    const events = eventsOf(after);
    if (events.size === 0) return void reported.delete(uid);
    const known = reported.get(uid)?.events ?? empty;
    const unknown = [...events.values()].filter(({ id }) => !known.has(id));
    const inherited = unknown.length === 0 ? empty : eventsOf(before);
    const isWritten = ({ id, at }: CauseEvent) => inherited.has(id) && msOf(at) < now - writtenWithinMs;
    for (const event of unknown) if (!isWritten(event)) add(resource, after, { ...event, isOnce: true });
    reported.set(uid, { resource, object: after, events });
  };

  const renewOne = ({ resource, object, events }: Reported, now: number) =>
    Effect.forEach(
      [...events.values()].filter(({ type }) => type === 'Warning'),
      (event) =>
        count(kubeEvent(resource, object, { ...event, count: countedSince(event.at, now), lastAt: isoTime(now) })),
      { discard: true },
    );

  return {
    recorded,
    forget: (uid) => void reported.delete(uid),
    clear: () => reported.clear(),
    renew: Effect.forever(
      Effect.andThen(
        Effect.sleep(renewedEveryMs),
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.forEach([...reported.values()], (one) => renewOne(one, now), { discard: true }),
        ),
      ),
    ),
  };
}
