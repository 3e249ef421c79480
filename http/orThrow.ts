import { Result } from 'effect';
import type { Context } from 'koa';
import type { CommandRejected } from '../runtime/contract/command.ts';
import type { Gone, ReadError, WriteError } from '../runtime/services/cluster/cluster.ts';
import type { CloudFailed } from '../runtime/services/cloud.ts';
import type { StoreFailed } from '../runtime/services/objectStore.ts';
import { errorMessage } from '../rules/errorMessage.ts';

/** Every failure that the runtime expects. */
export type Failure = ReadError | WriteError | Gone | CommandRejected | StoreFailed | CloudFailed;
type Tag = Failure['_tag'];

/** A refusal in the document's own words, where it has them. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** The status of each failure (decision 18). */
const statusOf = {
  NotFound: 404,
  Conflict: 409,
  AlreadyExists: 409,
  CommandRejected: 409,
  // The caller is not at fault when Kubernetes, an object store or a cloud refuses our own request.
  Refused: 502,
  StoreFailed: 502,
  CloudFailed: 502,
  Unavailable: 503,
  Gone: 503,
} satisfies Record<Tag, number>;

/** What no rule answers is not there to be done; the states of a machine are its own. */
const nothingTo: Readonly<Record<string, string>> = {
  retry: 'there is nothing to retry: it has not been given up',
};

/** The name of an object, of which a Kubernetes API says more than a person needs. */
const nameIn = (what: string): string => /"([^"]+)"/.exec(what)?.[1] ?? what;

export const textOf = (failure: Failure): string => {
  switch (failure._tag) {
    case 'NotFound':
      return `${failure.what} was not found`;
    case 'Conflict':
      return `"${nameIn(failure.what)}" was modified concurrently; try again`;
    case 'AlreadyExists':
      return `"${nameIn(failure.what)}" already exists`;
    case 'CommandRejected':
      if (failure.isDeleting) return `"${failure.name}" is being deleted`;
      return failure.says || (nothingTo[failure.command] ?? `there is nothing to ${failure.command}`);
    case 'Refused':
      return `the Kubernetes API refused: ${failure.message}`;
    case 'StoreFailed':
      return `the object store failed: ${failure.message}`;
    case 'CloudFailed':
      return `the cloud failed: ${failure.message}`;
    case 'Unavailable':
    case 'Gone':
      return `the Kubernetes API does not answer: ${errorMessage(failure)}`;
  }
};

/** The refusal of a create whose name is taken. */
export const alreadyExists = (kind: string, name: string): Refusal => ({
  status: 409,
  text: `${kind} "${name}" already exists`,
});

/** Ends the request with `{"error": text}`. */
export function refuse(ctx: Context, status: number, text: string): never {
  return ctx.throw(status, text, { expose: true });
}

/** Kubernetes refuses what the caller wrote, so the caller has to correct it; its text names the field. */
export function savedOrThrow<A, E extends Failure>(
  ctx: Context,
  result: Result.Result<A, E>,
  words: Partial<Record<Tag, Refusal>> = {},
): A {
  if (Result.isFailure(result)) {
    const failure: Failure = result.failure;
    if (failure._tag === 'Refused' && failure.status === 422) return refuse(ctx, 400, failure.message);
  }
  return orThrow(ctx, result, words);
}

/** The value of a runtime effect; a failure becomes the document's words for it, else those of its tag. */
export function orThrow<A, E extends Failure>(
  ctx: Context,
  result: Result.Result<A, E>,
  words: Partial<Record<Tag, Refusal>> = {},
): A {
  if (Result.isSuccess(result)) return result.success;
  const { failure } = result;
  const refusal = words[failure._tag];
  return refuse(ctx, refusal?.status ?? statusOf[failure._tag], refusal?.text ?? textOf(failure));
}
