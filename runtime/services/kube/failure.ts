import { unservedKind } from '../../../rules/provision/weight.ts';
import { AlreadyExists, Unavailable, Conflict, Gone, NotFound, Refused } from '../cluster/cluster.ts';
import type { Response } from './response.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

/** The part of a Kubernetes `Status` object that says what went wrong. */
export interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

export type Failure = NotFound | Conflict | AlreadyExists | Refused | Unavailable | Gone;

function statusIn(text: string): Status | null {
  try {
    const parsed = JSON.parse(text) as Status | null;
    return typeof parsed?.message === 'string' ? parsed : null;
  } catch {
    return null;
  }
}

/** Bodies other than a `Status`: pages of proxies, and the API server's text for an unknown path. */
const page = /^\s*<|^404 page not found/;

const plainMessage = (text: string): string => (text.trim().split('\n')[0] ?? '').trim().slice(0, 500);

/** The error of a response with status 400 or above. */
export const failureOf = (code: number, text: string, headers: Response['headers'] = {}): Failure =>
  failureOfStatus(code, statusIn(text) ?? { message: plainMessage(text) }, headers);

const unnamed: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: unservedKind,
  429: 'too many requests',
};

const webhookCall = /failed calling webhook "([^"]+)"/;

/** The message of the API without trailing whitespace; empty when it has none for people. */
const textOf = ({ message = '' }: Status): string => (page.test(message) ? '' : message.trimEnd());
const unsaid = (code: number): string => unnamed[code] ?? `the API answered ${code}`;

/** Why the API failed; for a webhook that could not be called, only its name. */
function whyAway(code: number, status: Status): string {
  const [, webhook] = webhookCall.exec(status.message ?? '') ?? [];
  if (webhook !== undefined) return `webhook "${webhook}" does not answer`;
  const text = textOf(status);
  return text === '' ? unsaid(code) : `${code} ${text}`;
}

/** The error of a `Status` object, from a response or a line of a watch. */
export function failureOfStatus(code: number, status: Status, headers: Response['headers'] = {}): Failure {
  const { reason } = status;
  const message = textOf(status) || unsaid(code);
  if (code === 404) return new NotFound({ what: message });
  if (code === 409 && reason === 'AlreadyExists') return new AlreadyExists({ what: message });
  if (code === 409 || isOfAnother(code, status)) return new Conflict({ what: message });
  if (code === 410) return new Gone({ what: message });
  if (code === 429 || code >= 500) return unavailableFor(whyAway(code, status), status, headers);
  return new Refused({ status: code, message });
}

/** The API rejects a patch that names the uid of another object as a change of an immutable field. */
const isOfAnother = (code: number, { details }: Status) =>
  code === 422 && (details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false);

function unavailableFor(message: string, { details }: Status, headers: Response['headers']): Unavailable {
  const seconds = Number(headers['retry-after'] ?? details?.retryAfterSeconds);
  return new Unavailable({
    message,
    ...(Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
  });
}

export const silence = (error: unknown): Unavailable => new Unavailable({ message: errorMessage(error) });

const statusOf = { NotFound: 404, Conflict: 409, AlreadyExists: 409, Gone: 410 } as const;

/** Restricts failures to these kinds; others are unexpected of the API. */
const only =
  <Expected extends Failure['_tag']>(...expected: readonly Expected[]) =>
  (failure: Failure): Extract<Failure, { _tag: Expected }> | Refused | Unavailable =>
    failure._tag === 'Refused' ||
    failure._tag === 'Unavailable' ||
    (expected as readonly string[]).includes(failure._tag)
      ? (failure as Extract<Failure, { _tag: Expected }> | Refused | Unavailable)
      : new Refused({ status: statusOf[failure._tag], message: failure.what });

export const ofRead = only('NotFound');
export const ofWrite = only('NotFound', 'Conflict', 'AlreadyExists');
export const ofRemove = only('NotFound', 'Conflict');
export const ofList = only('Gone');
