import { createHash } from 'node:crypto';
import type { Place, Store, Stored } from '../store.ts';
import { type Clock, stamp } from './clock.ts';
import { bucket } from './shapes.ts';

/** What happened to an object, for people. */
export interface Told {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Writes Kubernetes Events as far as it can; the same one again is counted. */
export interface Events {
  readonly tell: (component: string, object: Stored, told: Told) => void;
  /** Resolves when those under way are written. */
  readonly settled: () => Promise<void>;
}

export function createEvents(store: Store, clock: Clock): Events {
  const underWay = new Set<Promise<void>>();

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

  return {
    tell(component, object, told) {
      const event = eventOf(component, object, told, stamp(clock.now()));
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

function eventOf(component: string, object: Stored, told: Told, at: string): Stored {
  const { name, namespace = 'default', uid, resourceVersion } = object.metadata;
  const id = createHash('sha256').update([uid, component, told.reason, told.message].join('\0')).digest('hex');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${id.slice(0, 16)}`, namespace },
    involvedObject: { apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid, resourceVersion },
    reason: told.reason,
    message: told.message,
    type: told.type,
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  } as unknown as Stored;
}
