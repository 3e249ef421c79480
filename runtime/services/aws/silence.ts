import { failedStatus, statusIn } from './failure.ts';

/** An operation that an endpoint did not answer: how it failed, and when it may be tried again. */
interface Silent {
  readonly error: unknown;
  readonly until: number;
  isTried: boolean;
}

/** What was not answered lately, by endpoint and operation. */
export type Silences = Map<string, Silent>;

interface SilenceOptions {
  readonly endpoint: string;
  readonly silenceMs: number;
  readonly silences: Silences;
}

/** A silence is not waited for again until so many times as long have passed. */
const restTimes = 3;

/** Where the middleware stands. */
export const aroundEverything = { step: 'initialize', priority: 'high' } as const;

/**
 * Middleware around everything: what an endpoint did not answer fails at once for a while, and then one request tries.
 * If each pass waited for a silent cloud, they would hold up all others.
 */
export const heedSilence =
  ({ endpoint, silenceMs, silences }: SilenceOptions) =>
  <Args, Answer>(next: (args: Args) => Promise<Answer>, { commandName = '' }: { readonly commandName?: string }) =>
  async (args: Args): Promise<Answer> => {
    const key = `${endpoint} ${commandName}`;
    const began = performance.now();
    const known = silences.get(key);
    if (known !== undefined && (known.isTried || began < known.until)) throw known.error;
    if (known !== undefined) known.isTried = true;
    try {
      const answer = await next(args);
      silences.delete(key);
      return answer;
    } catch (error) {
      const now = performance.now();
      const isSilence = failedStatus(statusIn(error)) === null && now - began >= silenceMs;
      if (isSilence) silences.set(key, { error, until: now + restTimes * silenceMs, isTried: false });
      else silences.delete(key);
      throw error;
    }
  };
