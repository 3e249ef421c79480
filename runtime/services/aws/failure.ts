import type { CloudAccount } from '../cloud.ts';
import { CloudFailed } from '../cloud.ts';

/** Removes the secret key of an account from a text. */
const withoutKeys = (text: string, { secretAccessKey }: Pick<CloudAccount, 'secretAccessKey'>): string =>
  secretAccessKey === '' ? text : text.replaceAll(secretAccessKey, '***');

/** Longer texts are pages of a proxy rather than error messages. */
const longestText = 500;

const statusOf = (error: unknown): number | null => {
  const { $metadata, $response } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly $response?: { readonly statusCode?: number };
  };
  return $metadata?.httpStatusCode ?? $response?.statusCode ?? null;
};

const nameOf = (error: Error): string => {
  const { code, Code } = error as Error & { readonly code?: unknown; readonly Code?: unknown };
  if (typeof Code === 'string' && Code !== '') return Code;
  if (error.name !== 'Error' && error.name !== 'UnknownError' && error.name !== '') return error.name;
  return typeof code === 'string' ? code : error.name;
};

/** Error names without information. */
const nameless = new Set(['Error', 'Unknown', 'UnknownError']);

/** Hints of the SDK for developers. */
const forDevelopers = /\n\s*Deserialization error: .*$|@smithy\/\S+ - (?:\[\w+\] )?/gs;

/** A response that trickles in never hits the time-out for silence. */
export const longestMs = 60_000;
export const notDone = `not done within ${longestMs / 1_000} s`;

/** The message for people; empty for none. */
function textOf({ message }: Error, code: string): string {
  const [, silentMs] = /\b(\d+) ms\b/.exec(message) ?? [];
  if (silentMs !== undefined && code === 'TimeoutError') return `no answer within ${Number(silentMs) / 1_000} s`;
  if (code === 'AbortError') return notDone;
  if (message.startsWith('@aws-sdk XML parse error')) return notOfAStore;
  const said = message.replaceAll(forDevelopers, '').trim();
  if (nameless.has(code)) return nameless.has(said) ? '' : said;
  if (said === '') return code;
  return said.includes(code) ? said : `${code}: ${said}`;
}

const notOfAStore = 'something else than a cloud answers there';

/** A response of a web page, a proxy or a server other than an S3 store, whatever its status. */
export const strangeAnswer = (): CloudFailed =>
  new CloudFailed({ code: 'StrangeAnswer', status: null, message: notOfAStore });

/** Drops a successful status: with an unexpected body it says nothing about the request. */
export const failedStatus = (status: number | null): number | null => (status !== null && status < 300 ? null : status);

/** Turns an error of the SDK into a failure without keys. */
export function failureOf(error: unknown, account: Pick<CloudAccount, 'secretAccessKey'>): CloudFailed {
  if (error instanceof CloudFailed) return error;
  if (!(error instanceof Error)) return new CloudFailed({ code: 'Failed', status: null, message: 'the cloud failed' });
  const status = failedStatus(statusOf(error));
  const code = nameOf(error);
  const text = withoutKeys(textOf(error, code).slice(0, longestText), account);
  if (status === null) return new CloudFailed({ code, status, message: text === '' ? code : text });
  return new CloudFailed({ code, status, message: text === '' ? `HTTP ${status}` : `${text} (HTTP ${status})` });
}

export const codeOf = (error: unknown): string => (error instanceof Error ? nameOf(error) : '');
export const statusIn = statusOf;
