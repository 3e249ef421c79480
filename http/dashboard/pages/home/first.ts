import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';

/** The first service of an installation. */
export interface First {
  readonly isShown: boolean;
  /** The service that was made here; null until then. */
  readonly service: Summary | null;
  readonly onMade: (name: string) => void;
}

/** The guide is there while there is no service, and until the one that it made has been seen to run. */
export function useFirst(services: readonly Summary[] | null): First {
  const made = useSignal<string | null>(null);
  const service = services?.find(({ name }) => name === made.value) ?? null;
  return {
    isShown: services !== null && (services.length === 0 || made.value !== null),
    service,
    onMade: (name) => (made.value = name),
  };
}
