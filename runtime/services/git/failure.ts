import { STATUS_CODES } from 'node:http';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';

export type GitFailure = Exclude<GitAnswer<never>, { readonly is: 'found' }>;

/** An unsuccessful response of the Git host. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/** The pause that the Git host requires when a rate limit does not state its end. */
const unsaidPauseMs = 60_000;
const longestPauseMs = 24 * 3_600_000;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** The response behind a failed request of Octokit, or null when the Git host sent none. */
export function rejectionOf(error: unknown): Rejection | null {
  const response = field(error, 'response');
  const status = field(response, 'status');
  if (typeof status !== 'number') return null;
  return { status, headers: (field(response, 'headers') ?? {}) as Rejection['headers'], data: field(response, 'data') };
}

/** `404 Not Found`. */
const statusLine = (code: number) => [code, STATUS_CODES[code]].filter((part) => part !== undefined).join(' ');

export const refused = (code: number): GitFailure => ({ is: 'refused', code, status: statusLine(code) });
export const silent = (why: string): GitFailure => ({ is: 'silent', why });

/** What an unsuccessful response means to the caller. */
export function meaningOf(rejection: Rejection, now: number): GitFailure {
  const { status } = rejection;
  if (isLimit(rejection)) return { is: 'limited', until: endOfLimit(rejection, now) };
  if (status >= 400 && status < 500) return refused(status);
  return silent(`it answered ${statusLine(status)}`);
}

/** Why no response came; the text never contains request data. */
export function whyNone(error: unknown): string {
  const cause = field(error, 'cause');
  const inner = field(cause, 'cause') ?? cause ?? error;
  const text = [field(inner, 'message'), field(inner, 'code'), field(error, 'message')].find(
    (part) => typeof part === 'string' && part !== '',
  );
  return typeof text === 'string' ? text : 'the connection failed';
}

function isLimit({ status, headers, data }: Rejection): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const message = field(data, 'message');
  return (
    headers['retry-after'] !== undefined ||
    Number(headers['x-ratelimit-remaining'] ?? 1) === 0 ||
    (typeof message === 'string' && /rate limit/i.test(message))
  );
}

function endOfLimit({ headers }: Rejection, now: number): number {
  const said = retryAfter(headers['retry-after'], now) ?? reset(headers);
  const until = said ?? now + unsaidPauseMs;
  return Math.min(Math.max(until, now + 1_000), now + longestPauseMs);
}

/** Seconds or a date (RFC 9110). */
function retryAfter(header: string | number | undefined, now: number): number | undefined {
  if (header === undefined || header === '') return undefined;
  const seconds = Number(header);
  if (!Number.isNaN(seconds)) return now + seconds * 1_000;
  const date = Date.parse(String(header));
  return Number.isNaN(date) ? undefined : date;
}

function reset(headers: Rejection['headers']): number | undefined {
  if (Number(headers['x-ratelimit-remaining'] ?? 1) !== 0) return undefined;
  const seconds = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : seconds * 1_000;
}
