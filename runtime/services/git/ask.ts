import { createHash } from 'node:crypto';
import { Clock, Effect, Result } from 'effect';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import { monotonicMs } from '../monotonic.ts';
import { meaningOf, refused, rejectionOf, silent, whyNone } from './failure.ts';
import { lru } from '../lru.ts';
import type { Read } from './read.ts';

/** The parameters common to all requests to the Git host. */
interface Carried {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: { readonly signal: AbortSignal };
}

interface Answered {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** One request to the Git host. `what` identifies a read among those of a token; without it nothing is cached. */
export interface GitRequest<T> {
  readonly what?: string;
  /** Null for anonymous requests. */
  readonly token: string | null;
  readonly send: (carried: Carried) => Promise<Answered>;
  readonly read: Read<T>;
}

const kept = 1_000;

/** A hash that replaces a token in cache keys. */
export const fingerprint = (token: string) => createHash('sha256').update(token).digest('base64url');

/** A header would reject anything else, with an error that shows the token. */
const canBeSent = (token: string) => /^[\x21-\x7e]+$/.test(token);

/**
 * Sends a request once, within a timeout. After a timeout, requests fail at once for half that time instead of waiting
 * in turn. A result is cached with its ETag, so that the next request is conditional and a 304 costs neither a body nor
 * rate limit.
 */
export function conditionalAsk(timeoutMs: number) {
  let deafUntil = Number.NEGATIVE_INFINITY;
  const inVain = silent(`no answer within ${timeoutMs / 1_000} s`);
  const remembered = lru<{ readonly etag: string; readonly value: unknown }>(kept);

  return <T>({ what, token, send, read }: GitRequest<T>): Effect.Effect<GitAnswer<T>> =>
    Effect.gen(function* () {
      if (token !== null && !canBeSent(token)) return refused(401);
      if ((yield* monotonicMs) < deafUntil) return inVain;
      const key = `${fingerprint(token ?? '')} ${what}`;
      const before = what === undefined ? undefined : remembered.get(key);
      const headers = {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(before ? { 'if-none-match': before.etag } : {}),
      };
      const result = yield* Effect.result(
        Effect.tryPromise({ try: (signal) => send({ headers, request: { signal } }), catch: (error) => error }),
      );
      if (Result.isFailure(result)) {
        const rejection = rejectionOf(result.failure);
        if (rejection === null) return silent(whyNone(result.failure));
        if (rejection.status === 304 && before) return { is: 'found', value: before.value as T } as const;
        return meaningOf(rejection, yield* Clock.currentTimeMillis);
      }
      const { data, headers: answered } = result.success;
      const value = read(data, answered);
      if (value === null) return silent('its answer is not what was asked for');
      const { etag } = answered;
      if (what !== undefined && typeof etag === 'string') remembered.set(key, { etag, value });
      return { is: 'found', value } as const;
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () =>
          Effect.map(monotonicMs, (now) => {
            deafUntil = now + timeoutMs / 2;
            return inVain;
          }),
      }),
    );
}
