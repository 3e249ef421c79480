import type { KubeObject } from '../../crds/kind.ts';
import type { Deriving } from '../contract/controller.ts';

type Deriver<O, A> = (object: O, deriving: Deriving) => A;

/** Computes once what the derived fields and the causes of an object share in one pass. */
export function oncePerPass<O extends KubeObject, A>(compute: Deriver<O, A>): Deriver<O, A> {
  const computed = new WeakMap<Deriving, { readonly object: O; readonly answer: A }>();
  return (object, deriving) => {
    const known = computed.get(deriving);
    if (known?.object === object) return known.answer;
    const answer = compute(object, deriving);
    computed.set(deriving, { object, answer });
    return answer;
  };
}
