import { Context, Data, Effect } from 'effect';
import { Agent, request } from 'undici';
import { unreachableWords } from '../../rules/unreachable.ts';
import { bodyText } from './bodyText.ts';

/** A query over a range of time; times and step in seconds. */
interface RangeQuery {
  /** The base of the API, such as `http://prometheus:9090`. */
  readonly url: string;
  readonly query: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** A value and its time, in seconds since the epoch. */
interface Point {
  readonly t: number;
  readonly v: number;
}

/** The store cannot be reached. */
export class NoMetricsStore extends Data.TaggedError('NoMetricsStore')<{ readonly message: string }> {}
/** The store responded with an error, with an invalid body, or not in time. */
class MetricsStoreFailed extends Data.TaggedError('MetricsStoreFailed')<{ readonly message: string }> {}

type Failure = NoMetricsStore | MetricsStoreFailed;

export interface MetricsStoreShape {
  /** The first series of a query, oldest value first; empty for none. */
  readonly range: (query: RangeQuery) => Effect.Effect<readonly Point[], Failure>;
}

/** The store of the usage of pods. */
export class MetricsStore extends Context.Service<MetricsStore, MetricsStoreShape>()('core/MetricsStore') {}

const answerWithinMs = 10_000;
const maxAnswer = 1024 * 1024;
const nobody = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function failureOf(error: unknown): Failure {
  const { code, name, message } = error as {
    readonly code?: string;
    readonly name?: string;
    readonly message?: string;
  };
  if (code !== undefined && nobody.test(code))
    return new NoMetricsStore({ message: `nobody answers at its address: ${unreachableWords(code) ?? code}` });
  if (name === 'TimeoutError')
    return new MetricsStoreFailed({ message: `no answer within ${answerWithinMs / 1_000} s` });
  return new MetricsStoreFailed({ message: message ?? String(error) });
}

interface Answer {
  readonly status?: string;
  readonly error?: string;
  readonly data?: { readonly result?: unknown };
}

type Matrix = readonly { readonly values?: readonly (readonly [number, string])[] }[];
const isMatrix = (result: unknown): result is Matrix => Array.isArray(result);

function parsed(text: string, status: number): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new Error(`it answered HTTP ${status} with what is no JSON`);
  }
}

/** Leaves out values like NaN, as of a division by zero, which JSON does not have. */
function pointsOf(text: string, status: number): readonly Point[] {
  const { status: said, error, data } = parsed(text, status);
  if (status !== 200 || said !== 'success') throw new Error(`it answered HTTP ${status}${error ? `: ${error}` : ''}`);
  const result = data?.result;
  if (!isMatrix(result)) throw new Error('its answer has no result');
  const values = result[0]?.values ?? [];
  return values.map(([t, v]) => ({ t, v: Number(v) })).filter(({ t, v }) => Number.isFinite(t) && Number.isFinite(v));
}

/** Queries Prometheus by its HTTP API; does not follow redirects. */
export function prometheusStore(): MetricsStoreShape {
  const dispatcher = new Agent({ connect: { timeout: 5_000 } });
  const asked = async ({ url, ...range }: RangeQuery): Promise<readonly Point[]> => {
    const address = new URL(`${url.replace(/\/+$/, '')}/api/v1/query_range`);
    const { statusCode, body } = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(Object.entries(range).map(([name, value]) => [name, String(value)])).toString(),
      dispatcher,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return pointsOf(await bodyText(body, maxAnswer), statusCode);
  };
  return { range: (query) => Effect.tryPromise({ try: () => asked(query), catch: failureOf }) };
}
