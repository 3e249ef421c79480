/** Long work in steps, between which others may be served. */
export type Steps<A> = Generator<undefined, A, undefined>;

/** All of the work at once. */
export function finish<A>(steps: Steps<A>): A {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Pauses before each step. */
export async function finishPaced<A>(steps: Steps<A>, pause: () => Promise<void>): Promise<A> {
  let step = steps.next();
  while (step.done !== true) {
    await pause();
    step = steps.next();
  }
  return step.value;
}
