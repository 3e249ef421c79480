import { Result } from 'effect';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/resources.ts';
import { why } from '../../runtime/services/why.ts';
import type { Log } from '../serving.ts';
import { authSecret } from './directory.ts';

type Failure = Parameters<typeof why>[0];

/** What a try to seed came to: the password that nobody was told yet, if one was generated. */
export interface Seeded {
  readonly generated: string | null;
}

interface Keeping {
  readonly caches: Caches;
  /** Makes the first admin and the key of the sessions, unless they are there. */
  readonly seed: () => Promise<Result.Result<Seeded, Failure>>;
  readonly seeded: (seeded: Seeded) => void;
  readonly log: Log;
}

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** Seeds again whenever the sign-in Secret is removed, as long as it takes. Returns what ends it. */
export function keepUsers({ caches, seed, seeded, log }: Keeping): () => void {
  const cache = caches.of(secrets);
  let timer: NodeJS.Timeout | undefined;
  let complaint = '';

  const attempt = async (waitMs: number): Promise<void> => {
    timer = undefined;
    const outcome = await seed();
    if (Result.isSuccess(outcome)) {
      complaint = '';
      log('info', 'the sign-in Secret was removed and is made anew: every session is over');
      return seeded(outcome.success);
    }
    const words = why(outcome.failure);
    // Said once: a namespace that is missing may be so for days.
    if (words !== complaint) log('warn', 'the sign-in Secret is missing and cannot be made', { why: words });
    complaint = words;
    tryIn(waitMs);
  };
  const tryIn = (waitMs: number) => {
    timer ??= setTimeout(() => void attempt(Math.min(2 * waitMs, longestWaitMs)), waitMs);
    timer.unref();
  };

  const forget = cache.onChange(({ object, type }) => {
    if (object.metadata.name === authSecret && type === 'deleted') tryIn(firstWaitMs);
  });
  return () => {
    forget();
    clearTimeout(timer);
  };
}
