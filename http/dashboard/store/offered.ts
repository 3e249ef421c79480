import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** An action of the object on screen, which the palette offers too. */
export interface Offer {
  readonly word: string;
  /** What it is about, where the page is about several things. */
  readonly of?: string | undefined;
  /** Starts it, with the questions that its button asks. */
  readonly run: () => void;
}

const groups = signal<ReadonlyMap<object, readonly Offer[]>>(new Map());

/** The actions of everything on screen. */
export const offers = (): readonly Offer[] => [...groups.value.values()].flat();

function put(group: object, offered: readonly Offer[] | null): void {
  const next = new Map(groups.peek());
  if (offered) next.set(group, offered);
  else next.delete(group);
  groups.value = next;
}

/** Offers actions while a component is shown. Only a change of their words is a change of what is offered. */
export function useOffers(offered: readonly Offer[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const words = offered.map(({ word, of }) => `${word} ${of}`).join('\n');
  useEffect(() => {
    const group = {};
    put(
      group,
      offered.map(({ word, of }, index) => ({ word, of, run: () => latest.current[index]?.run() })),
    );
    return () => put(group, null);
  }, [words]);
}
