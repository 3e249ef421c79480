import type { Cause, Explanation, InstanceRead, StreamEvent, Transitions } from '../../../api.ts';
import type { AnyKindPage, KindInput } from '../../kindPages/kindPage.ts';
import { objectOf } from '../../kindPages/kinds.ts';
import { type Loaded, useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { useMoves } from '../../store/moves.ts';
import { causesOf } from '../../model/cause.ts';
import { objectIdOf } from '../../model/objectPages.ts';
import { explainPath, pathTo } from '../../api.ts';

/** Every machine of an object has the same id, so a move of one concerns the others. */
const concerns = (id: string) => (event: StreamEvent) => {
  switch (event.event) {
    case 'move':
    case 'instance':
    case 'deleted':
      return event.data.id === id;
    case 'change':
    case 'hello':
    case 'reset':
    case 'tick':
      return false;
  }
};

/** One instance of one machine, as in an address. */
export interface Named {
  readonly machine: string;
  readonly id: string;
}

type Read<T> = Loaded<T> & { readonly reload: () => void };

/** The data of one instance, reloaded whenever it changes. */
export interface Reading extends Named {
  readonly page: AnyKindPage | undefined;
  readonly instance: Read<InstanceRead>;
  readonly explanation: Read<Explanation>;
  readonly transitions: Read<Transitions>;
  /** Why its state is what it is, the worst first; none of the entries of an object. */
  readonly causes: readonly Cause[];
  /** The data for the parts of its kind; null until all of it is read, and for a deleted object. */
  readonly input: KindInput<unknown> | null;
  readonly reload: () => void;
}

export function useReading({ machine, id }: Named): Reading {
  const names = { machine, instance: id };
  const { page, name } = objectOf(id);
  const instance = useLoaded(pathTo('GET /machines/{machine}/instances/{instance}', names), concerns(id));
  const explanation = useLoaded(pathTo('GET /machines/{machine}/instances/{instance}/explain', names), concerns(id));
  const transitions = useMoves(pathTo('GET /machines/{machine}/instances/{instance}/transitions', names), {
    id,
    machine,
  });
  const object = useLoaded(page?.path(name) ?? null, concerns(id));
  const kind = instance.value?.kind ?? '';
  const explained = useLoaded(objectIdOf(id) === id ? explainPath({ kind, name }) : null, concerns(id));
  const machines = useMachines().value?.items;
  const isThere = instance.value !== null && instance.value.deletedAt === undefined;
  return {
    machine,
    id,
    page,
    instance,
    explanation,
    transitions,
    causes: causesOf(machine, explained.value?.causes ?? []),
    input:
      isThere && machines && object.value !== null
        ? { instance: instance.value, object: object.value, machines }
        : null,
    reload: () => [instance, explanation, transitions, object, explained].forEach((one) => one.reload()),
  };
}
