import type { VariableRemoved } from '../../api.ts';
import { pathOf } from '../client.ts';
import { isApiFailure } from '../failure.ts';
import { answerOf, flag, object, optional, read } from '../shape.ts';
import type { Ask } from './ask.ts';

/** What a variable was of a service that has it no longer. */
export type VariableKind = 'config' | 'secret';

const routes = { config: 'config', secret: 'secrets' } as const satisfies Readonly<Record<VariableKind, string>>;
const removedShape = answerOf<VariableRemoved>()(
  object({ removed: optional(flag), pending: optional(flag), appliesAtOnce: optional(flag) }),
);

interface Removed {
  /** The kinds that it was removed of; none where the service had no such variable. */
  readonly kinds: readonly VariableKind[];
  readonly pending: boolean;
  readonly appliesAtOnce: boolean;
}

/** Removes a variable of a service of whichever kind has it, or of one kind alone. */
export async function removeVariable(
  ask: Ask,
  { app, key, kind }: { readonly app: string; readonly key: string; readonly kind: VariableKind | undefined },
): Promise<Removed> {
  const kinds: VariableKind[] = [];
  let [pending, appliesAtOnce] = [false, false];
  for (const one of kind === undefined ? (['config', 'secret'] as const) : [kind]) {
    const answer = await ask('POST', `${pathOf('apps', app, routes[one])}/delete`, { body: { key } }).catch(
      (error: unknown) => {
        // What is left of the name is injected, now that the service has none of its own.
        if (kinds.length > 0 && isApiFailure(error) && error.status === 400) return { removed: false };
        throw error;
      },
    );
    const { removed = true, ...when } = read(removedShape, answer);
    if (removed) kinds.push(one);
    pending ||= when.pending ?? false;
    appliesAtOnce ||= removed && (when.appliesAtOnce ?? false);
  }
  return { kinds, pending, appliesAtOnce };
}
