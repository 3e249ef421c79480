/** The error codes of an OAuth route: RFC 6749, 4.1.2.1 and 5.2, and RFC 8628, 3.5. */
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

/** A refusal before it is sent. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
}

/**
 * Clients of OAuth act on error codes, so every refusal of its routes becomes one. There, a body of another type is an
 * invalid request like any other; elsewhere a refusal keeps its text.
 */
export function refusalOn(path: string, { status, error }: Refusal): Refusal {
  if (!isOauth(path)) return { status, error };
  return { status: status === 415 ? 400 : status, error: codes.has(error) ? error : codeOf(status) };
}
