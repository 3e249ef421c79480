import type { IncomingHttpHeaders } from 'node:http';
import { Effect } from 'effect';
import type { Dispatcher } from 'undici';
import type { Unavailable } from '../cluster/cluster.ts';
import { silence } from './failure.ts';

/** A completely read response. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request and collects the response. A stream, a promise and an abort signal per response would cost more than
 * the rest of a small request.
 */
export const collected = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
): Effect.Effect<Answer, Unavailable> =>
  Effect.callback<Answer, Unavailable>((go) => {
    // undici frees the connection in a later `setImmediate`; resuming sooner would open another connection.
    const resume = (came: Effect.Effect<Answer, Unavailable>) => queueMicrotask(() => setImmediate(() => go(came)));
    let controller: Dispatcher.DispatchController | undefined;
    let isAborted = false;
    const abort = () => controller?.abort(new Error('interrupted'));
    let statusCode = 0;
    let headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (begun) => {
        controller = begun;
        if (isAborted) abort();
      },
      onResponseStart: (_, code, given) => {
        statusCode = code;
        headers = given;
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resume(Effect.succeed({ statusCode, headers, text: textOf(chunks) })),
      onResponseError: (_, error) => resume(Effect.fail(silence(error))),
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      resume(Effect.fail(silence(error)));
    }
    return Effect.sync(() => {
      isAborted = true;
      abort();
    });
  });

const textOf = (chunks: readonly Buffer[]): string => {
  const [only] = chunks;
  return (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString();
};
