import type { ServerResponse } from 'node:http';

/** The headers of every response, including refusals and files (document 002, Authentication rule 3). */
export interface SecurityHeaders {
  readonly set: (response: ServerResponse, host: string | undefined) => void;
  /** The same as raw header lines, for requests that fail before they are parsed. */
  readonly lines: string;
}

const fixed = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'same-origin'],
] as const;

/** A host that may appear in one of our headers. */
const plainHost = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;
/** Whether a host may be repeated in a header. */
export const isPlainHost = (host: string): boolean => plainHost.test(host);
const maxPolicies = 64;

/** The content security policy of decision 32; older browsers do not apply `'self'` to a WebSocket of the same host. */
const policyOf = (socket: string, formTarget: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${socket}`,
    "frame-ancestors 'none'",
    "base-uri 'self'",
    `form-action 'self' ${formTarget}`,
  ].join('; ');

/** `publicGitHost` is the host (or origin) that forms may be sent to besides our own. */
export function securityHeaders(publicGitHost: string): SecurityHeaders {
  const formTarget = publicGitHost.includes('://') ? new URL(publicGitHost).origin : `https://${publicGitHost}`;
  const plain = policyOf('', formTarget);
  const policies = new Map<string, string>();
  const policyFor = (host: string | undefined): string => {
    if (host === undefined || !plainHost.test(host)) return plain;
    const known = policies.get(host);
    if (known !== undefined) return known;
    if (policies.size >= maxPolicies) policies.clear();
    const policy = policyOf(` wss://${host}`, formTarget);
    policies.set(host, policy);
    return policy;
  };
  return {
    set: (response, host) => {
      for (const [name, value] of fixed) response.setHeader(name, value);
      response.setHeader('Content-Security-Policy', policyFor(host));
    },
    lines: [...fixed, ['Content-Security-Policy', plain]].map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  };
}
