/**
 * Keeps the last answer about each object. It is given again while all it was derived from is the same: the machines of
 * one pass ask the same question, and nothing changes between them unless something was written or heard.
 */
export function memoize<A>(): (of: object, from: readonly unknown[], derive: () => A) => A {
  const last = new WeakMap<object, { readonly from: readonly unknown[]; readonly answer: A }>();
  return (of, from, derive) => {
    const before = last.get(of);
    if (before && before.from.every((one, at) => one === from[at])) return before.answer;
    const answer = derive();
    last.set(of, { from, answer });
    return answer;
  };
}
