import { createHash } from 'node:crypto';
import { Effect } from 'effect';
import { isWithin } from '../../rules/time.ts';
import { lru } from '../../runtime/services/lru.ts';
import type { Reviewer, Verdict } from '../../runtime/services/reviewer.ts';

/** The refusal of a scraper. */
interface Denial {
  readonly status: 401 | 403 | 503;
  readonly message: string;
}

/** Decides by the `Authorization` header who may read a path; null when allowed. */
export type Authorizer = (authorization: string | undefined, path: string) => Promise<Denial | null>;

/** A scraper returns within seconds; a revoked right ends within a minute. */
const allowedMs = 60_000;
const refusedMs = 10_000;
const maxCached = 256;
const maxPending = 16;

interface CachedVerdict {
  readonly verdict: Verdict;
  readonly since: number;
}

/**
 * Admits callers by the cluster's own authentication and authorization. Its decisions are cached for a short time, so
 * that a scrape costs it nothing.
 */
export function makeAuthorizer(reviewer: Reviewer, now: () => number): Authorizer {
  const known = lru<CachedVerdict>(maxCached);
  const pending = new Map<string, Promise<Verdict | Denial>>();

  async function ask(key: string, token: string, path: string): Promise<Verdict | Denial> {
    const verdict = await Effect.runPromise(
      reviewer.mayGet(token, path).pipe(Effect.catch(() => Effect.succeed(unsaid))),
    );
    if ('is' in verdict) known.set(key, { verdict, since: now() });
    return verdict;
  }

  function askOnce(key: string, token: string, path: string): Promise<Verdict | Denial> {
    const running = pending.get(key);
    if (running) return running;
    if (pending.size >= maxPending) return Promise.resolve(busy);
    const fresh = ask(key, token, path).finally(() => pending.delete(key));
    pending.set(key, fresh);
    return fresh;
  }

  return async (authorization, path) => {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return unauthenticated;
    const key = createHash('sha256').update(`${path}\0${token}`).digest('base64');
    const found = known.get(key);
    const verdict = found && holds(found, now()) ? found.verdict : await askOnce(key, token, path);
    return 'is' in verdict ? denialOf(verdict, path) : verdict;
  };
}

const holds = ({ verdict, since }: CachedVerdict, now: number): boolean =>
  isWithin(now, since, verdict.is === 'allowed' ? allowedMs : refusedMs);

const unauthenticated: Denial = { status: 401, message: 'show a token of this cluster: Authorization: Bearer …' };
const unsaid: Denial = { status: 503, message: 'the cluster does not say whose token this is' };
const busy: Denial = { status: 503, message: 'too many tokens are being looked at' };

function denialOf(verdict: Verdict, path: string): Denial | null {
  if (verdict.is === 'allowed') return null;
  if (verdict.is === 'unknown') return { status: 401, message: 'the cluster does not know this token' };
  return { status: 403, message: `${verdict.user} may not get ${path}` };
}
