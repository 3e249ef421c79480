import type { Caches } from '../cache/caches.ts';
import type { Changed } from '../cache/indexer.ts';
import { type Controller, isOwn } from '../contract/controller.ts';
import type { EventRecorder } from '../write/eventRecorder.ts';
import { concernedBy } from './concerned.ts';
import type { Priority } from './priority.ts';

interface EventHandlerOptions {
  readonly controllers: readonly Controller[];
  readonly caches: Caches;
  readonly recorder: EventRecorder;
  readonly enqueue: (controller: Controller, name: string, priority: Priority) => void;
}

/**
 * Whether a change of an object enqueues it. Changes by this process do not, unless several controllers share the kind:
 * then another of them may have written it.
 */
export const isNews = ({ expects }: Controller, { own }: Changed): boolean => !own || expects !== undefined;

/** Enqueues the objects of each controller that a change concerns, and records deletions. */
export function addEventHandlers({ controllers, caches, recorder, enqueue }: EventHandlerOptions): void {
  for (const controller of controllers) {
    const enqueueOwn = (name: string, priority: Priority) => {
      if (isOwn(controller, name)) enqueue(controller, name, priority);
    };
    controller.onChange?.(caches);
    controller.onRequest?.((name) => enqueue(controller, name, 'high'));
    caches.of(controller.resource).onChange((changed) => {
      const { type, object, initial } = changed;
      const { name } = object.metadata;
      if (type === 'deleted' && isOwn(controller, name)) {
        recorder.gone(controller, object);
        for (const { forget } of controller.lifecycles) forget?.(name);
      }
      if (isNews(controller, changed)) enqueueOwn(name, initial ? 'low' : 'high');
    });
    for (const watching of controller.watches)
      caches.of(watching.resource).onChange((changed) => {
        for (const name of concernedBy(watching, changed, caches)) enqueueOwn(name, 'high');
      });
  }
}
