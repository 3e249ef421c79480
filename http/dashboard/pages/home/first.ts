import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';

/** The first service of an installation. */
export interface First {
  readonly isShown: boolean;
  /** The service that is on its way; null until one is made. */
  readonly service: Summary | null;
  readonly onMade: (name: string) => void;
}

/** The guide is there until a first service runs, and until the page is left where it was seen to begin to. */
export function useFirst(services: readonly Summary[] | null): First {
  const made = useSignal<string | null>(null);
  const [only, ...more] = services ?? [];
  const onItsWay = only && more.length === 0 && only.state !== 'ready' ? only : null;
  const service = services?.find(({ name }) => name === made.value) ?? onItsWay;
  if (service && made.peek() === null) made.value = service.name;
  return {
    isShown: services !== null && (services.length === 0 || service !== null),
    service,
    onMade: (name) => (made.value = name),
  };
}
