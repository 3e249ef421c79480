import { kindPageOf } from './kinds.ts';

/** What to do while nothing follows a machine yet. */
export const FirstSteps = ({ kinds }: { readonly kinds: readonly string[] }) => {
  const [empty] = kinds.flatMap((kind) => kindPageOf(kind)?.empty ?? []);
  return empty?.() ?? <p class="empty muted">No instance yet.</p>;
};
