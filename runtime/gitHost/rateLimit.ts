/**
 * Counts the requests of each token in windows of an hour. Nothing is refused: testers inject faults to reach a limit.
 */
export interface RateLimit {
  /** The headers of a response; a 304 costs nothing. */
  readonly headers: (token: string, cost: 0 | 1) => Readonly<Record<string, string>>;
}

const limit = 1_000_000;
const windowMs = 3_600_000;
const maxTokens = 1_000;

export function rateLimit(): RateLimit {
  const windows = new Map<string, { readonly resetAt: number; used: number }>();
  const windowOf = (token: string) => {
    const open = windows.get(token);
    if (open && open.resetAt > Date.now()) return open;
    if (windows.size >= maxTokens) windows.clear();
    const fresh = { resetAt: Date.now() + windowMs, used: 0 };
    windows.set(token, fresh);
    return fresh;
  };
  return {
    headers: (token, cost) => {
      const window = windowOf(token);
      window.used += cost;
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-used': String(window.used),
        'x-ratelimit-remaining': String(Math.max(0, limit - window.used)),
        'x-ratelimit-reset': String(Math.ceil(window.resetAt / 1_000)),
        'x-ratelimit-resource': 'core',
      };
    },
  };
}
