import { Result } from 'effect';
import type { Concerned } from '../../../rules/cause/attention.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { textOf } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import { placedOn } from '../../views/placed.ts';
import type { AttentionRetried } from './shapes.ts';

/** Retries objects that were given up, each by its own command; one that is refused does not keep the others back. */
export async function retryEach(
  context: RouteContext,
  access: Access,
  objects: readonly Pick<Concerned, 'kind' | 'name'>[],
): Promise<AttentionRetried> {
  const { operator, settings, run } = context;
  const by = callerIn(access).username;
  const retried: { kind: string; name: string }[] = [];
  const refused: { kind: string; name: string; error: string }[] = [];
  for (const { kind, name } of objects) {
    const { controller, lifecycle } = placedOn(operator, settings.machines, { kind, machine: 'provisionRetry' });
    const moved = await run(operator.move(controller, lifecycle, name, { asked: 'retry', by }));
    if (Result.isSuccess(moved)) retried.push({ kind, name });
    else refused.push({ kind, name, error: textOf(moved.failure) });
  }
  return { retried, refused };
}
