import { createHash } from 'node:crypto';
import type { Tool } from './tool.ts';

const keptMs = 5 * 60_000;
const keptCallers = 256;

interface CacheEntry {
  readonly tools: Promise<readonly Tool[]>;
  readonly until: number;
}

/** The tools of callers for up to 5 minutes, by the hash of their tokens: no token is kept, and no caller reads another's. */
export function makeToolCache(now: () => number) {
  const kept = new Map<string, CacheEntry>();
  return (token: string, make: () => Promise<readonly Tool[]>): Promise<readonly Tool[]> => {
    const key = createHash('sha256').update(token).digest('base64');
    const found = kept.get(key);
    if (found !== undefined && now() < found.until) return found.tools;
    kept.delete(key);
    const tools = make();
    const fresh = { tools, until: now() + keptMs };
    kept.set(key, fresh);
    // A failed read is retried by the next call.
    tools.catch(() => kept.get(key) === fresh && kept.delete(key));
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - keptCallers))) kept.delete(old);
    return tools;
  };
}
