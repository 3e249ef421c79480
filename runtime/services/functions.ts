import { Context, Data, Effect } from 'effect';
import { Agent, errors, request } from 'undici';
import { bodyText } from './bodyText.ts';
import type { ClusterNames } from './cluster/names.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** One HTTP request to a function. */
export interface FunctionCall {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
}

/** The response, whatever its status. */
export interface FunctionAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
}

/** There was no complete response; `late` after a timeout. */
export class FunctionFailed extends Data.TaggedError('FunctionFailed')<{
  readonly message: string;
  readonly late: boolean;
}> {}

export interface FunctionsShape {
  readonly call: (call: FunctionCall) => Effect.Effect<FunctionAnswer, FunctionFailed>;
}

/** Calls functions inside the cluster. */
export class Functions extends Context.Service<Functions, FunctionsShape>()('core/Functions') {}

const maxAnswer = 1024 * 1024;

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );

const isLate = (error: unknown): boolean =>
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  error instanceof errors.HeadersTimeoutError ||
  error instanceof errors.BodyTimeoutError;

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOTFOUND', 'EAI_AGAIN'].includes(String(error.code));

/** Calls over HTTP; connections are not reused, because the pod may be gone for the next call. */
export function httpFunctions({ lookup, unknown }: ClusterNames): FunctionsShape {
  const dispatcher = new Agent({ pipelining: 0, ...(lookup && { connect: { lookup } }) });
  const called = async ({ url, timeoutMs, ...asked }: FunctionCall): Promise<FunctionAnswer> => {
    const startedAt = performance.now();
    const answer = await request(url, { ...asked, dispatcher, signal: AbortSignal.timeout(timeoutMs) });
    const body = await bodyText(answer.body, maxAnswer);
    return {
      status: answer.statusCode,
      headers: headersOf(answer.headers),
      body,
      durationMs: Math.round(performance.now() - startedAt),
    };
  };
  return {
    call: (call) =>
      Effect.tryPromise({
        try: () => called(call),
        catch: (error) =>
          new FunctionFailed({
            message: isUnknown(error) ? unknown(new URL(call.url).hostname) : errorMessage(error),
            late: isLate(error),
          }),
      }),
  };
}
