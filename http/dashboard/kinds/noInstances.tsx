import { kindPageOf } from './kinds.ts';

/** What to do while a machine has no instances. */
export const FirstSteps = ({ kinds }: { readonly kinds: readonly string[] }) => {
  const [empty] = kinds.flatMap((kind) => kindPageOf(kind)?.empty ?? []);
  return empty?.() ?? <p class="empty muted">No instance yet.</p>;
};
