import type { IncomingHttpHeaders } from 'node:http';
import { hasBearer } from './callers.ts';

/** What a 401 asks for: a token, or another one than that which was sent (RFC 6750, 3). */
export const challengeFor = (headers: IncomingHttpHeaders): string =>
  hasBearer(headers) ? 'Bearer error="invalid_token"' : 'Bearer';
