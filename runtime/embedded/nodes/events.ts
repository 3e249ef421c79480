import type { Place, Store, Stored } from '../store.ts';
import { type Clock, stamp } from './clock.ts';
import { bucket } from './shapes.ts';

/** What happened to an object, for people. */
export interface Recorded {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object that it is about, such as `spec.containers{web}`. */
  readonly fieldPath?: string;
  /** The node that reports it, where one does. */
  readonly host?: string;
}

/** Writes Kubernetes Events as far as it can; the same one again is counted. */
export interface Events {
  readonly record: (component: string, object: Stored, recorded: Recorded) => void;
  /** Resolves when those under way are written. */
  readonly settled: () => Promise<void>;
}

/** So many Events are counted; an older one that comes again stands anew. */
const mostKnown = 4096;

export function createEvents(store: Store, clock: Clock): Events {
  const underWay = new Set<Promise<void>>();
  const known = new Map<string, string>();
  let last = 0;

  async function write(place: Place, event: Stored) {
    if (!store.get(place)) {
      const created = await store.create(place, event).catch(() => null);
      if (created) return;
    }
    await store.update(place, (old) => ({
      ...old,
      count: Number(old['count'] ?? 0) + 1,
      lastTimestamp: event['lastTimestamp'],
    }));
  }

  /** The name of an Event: the same for the same event again, and later ones sort behind. */
  function nameOf(component: string, { metadata }: Stored, { reason, message, fieldPath = '' }: Recorded): string {
    const same = [metadata.uid, fieldPath, component, reason, message].join('\0');
    const name = known.get(same) ?? `${metadata.name}.${nextNumber().toString(16)}`;
    known.delete(same);
    known.set(same, name);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return name;
  }

  function nextNumber(): number {
    last = Math.max(last + 1, clock.now() * 4096);
    return last;
  }

  return {
    record(component, object, recorded) {
      const event = eventOf(component, object, recorded, {
        name: nameOf(component, object, recorded),
        at: stamp(clock.now()),
      });
      const { namespace = '', name } = event.metadata;
      // An Event is a courtesy: one that cannot be written is left out.
      const done = write({ bucket: bucket.events, namespace, name }, event)
        .catch(() => {})
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

function eventOf(
  component: string,
  object: Stored,
  { reason, message, type, fieldPath, host }: Recorded,
  { name: eventName, at }: { readonly name: string; readonly at: string },
): Stored {
  const { name, namespace = 'default', uid, resourceVersion } = object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName, namespace },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      namespace,
      uid,
      resourceVersion,
      ...(fieldPath !== undefined && { fieldPath }),
    },
    reason,
    message,
    type,
    source: { component, ...(host !== undefined && { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  } as unknown as Stored;
}
