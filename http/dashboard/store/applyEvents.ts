import type { Instance, StreamEvent } from '../../api.ts';

/**
 * Applies events to a machine's instances, by their ids; returns whether any changed. Applying an event twice has no
 * further effect.
 */
export const applyEvents = (instances: Map<string, Instance>, machine: string, events: readonly StreamEvent[]) =>
  events.filter((event) => applyEvent(instances, machine, event)).length > 0;

function applyEvent(instances: Map<string, Instance>, machine: string, event: StreamEvent): boolean {
  switch (event.event) {
    case 'move':
      return event.data.machine === machine && put(instances, event.data.instance);
    case 'instance':
      return event.data.machine === machine && put(instances, event.data);
    case 'deleted': {
      const { id, uid } = event.data;
      return event.data.machine === machine && instances.get(id)?.uid === uid && instances.delete(id);
    }
    case 'change':
    case 'hello':
    case 'reset':
    case 'tick':
      return false;
  }
}

/** A resumed stream repeats events: an older state of the same object changes nothing. */
function put(instances: Map<string, Instance>, instance: Instance): boolean {
  const before = instances.get(instance.id);
  if (before?.uid === instance.uid && instance.since < before.since) return false;
  instances.set(instance.id, instance);
  return true;
}
