/** What a route of OAuth refuses with: RFC 6749, 4.1.2.1 and 5.2, and RFC 8628, 3.5. */
const codes: ReadonlySet<string> = new Set([
  'invalid_request',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
]);

const isOauth = (path: string): boolean => /^\/api(\/v1)?\/auth\/(device|token)\/?$/i.test(path);

function codeOf(status: number): string {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** A refusal as it is about to be told. */
export interface Told {
  readonly status: number;
  readonly error: string;
}

/**
 * Clients of OAuth act on codes: whatever its routes refuse with is told as one. A body of another type is a bad request
 * there like any other; elsewhere a refusal keeps its words.
 */
export function toldOn(path: string, { status, error }: Told): Told {
  if (!isOauth(path)) return { status, error };
  return { status: status === 415 ? 400 : status, error: codes.has(error) ? error : codeOf(status) };
}
