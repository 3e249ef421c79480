import type { CloudAccount } from '../cloud.ts';
import { CloudFailed } from '../cloud.ts';

/** A text without the secret key of an account. */
export const withoutKeys = (text: string, { secretAccessKey }: Pick<CloudAccount, 'secretAccessKey'>): string =>
  secretAccessKey === '' ? text : text.replaceAll(secretAccessKey, '***');

/** Longer texts are pages of a proxy rather than words of the cloud. */
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

/** A successful status whose body is not what the cloud promised says nothing about the request. */
const failedStatus = (status: number | null): number | null => (status !== null && status < 300 ? null : status);

/** What the SDK threw, as a failure without keys. */
export function failureOf(error: unknown, account: Pick<CloudAccount, 'secretAccessKey'>): CloudFailed {
  if (error instanceof CloudFailed) return error;
  if (!(error instanceof Error)) return new CloudFailed({ code: 'Failed', status: null, why: 'the cloud failed' });
  const status = failedStatus(statusOf(error));
  const code = nameOf(error);
  const text = error.message === '' || error.message === code ? code : `${code}: ${error.message}`;
  const why = withoutKeys(text.slice(0, longestText), account);
  return new CloudFailed({ code, status, why: status === null ? why : `${why} (HTTP ${status})` });
}

export const codeOf = (error: unknown): string => (error instanceof Error ? nameOf(error) : '');
export const statusIn = statusOf;
