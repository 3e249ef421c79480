import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** An action of the object on screen, which the palette offers too. */
export interface Offer {
  readonly label: string;
  /** Starts it, with the questions that its button asks. */
  readonly run: () => void;
}

/** An offered action, with the object that it is about. */
interface Offered extends Offer {
  readonly of: string;
}

const groups = signal<ReadonlyMap<object, readonly Offered[]>>(new Map());

/** The actions of everything on screen. */
export const offers = (): readonly Offered[] => [...groups.value.values()].flat();

function put(group: object, offered: readonly Offered[] | null): void {
  const next = new Map(groups.peek());
  if (offered) next.set(group, offered);
  else next.delete(group);
  groups.value = next;
}

/** Offers actions on an object while a component is shown. Only other words change what is offered. */
export function useOffers(of: string, offered: readonly Offer[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const words = offered.map(({ label }) => label).join('\n');
  useEffect(() => {
    const group = {};
    put(
      group,
      offered.map(({ label }, index) => ({ label, of, run: () => latest.current[index]?.run() })),
    );
    return () => put(group, null);
  }, [of, words]);
}
