import { failedStatus, statusIn } from './failure.ts';

/** An operation without a response: how it failed, and when to retry it. */
interface Silent {
  readonly error: unknown;
  readonly until: number;
  isTried: boolean;
}

/** Recent operations without a response, by endpoint and operation. */
export type Silences = Map<string, Silent>;

interface SilenceOptions {
  readonly endpoint: string;
  readonly silenceMs: number;
  readonly silences: Silences;
}

/** The time until a retry, as a multiple of the timeout. */
const restTimes = 3;

/** The position of the middleware. */
export const aroundEverything = { step: 'initialize', priority: 'high' } as const;

/**
 * Fails operations of a silent endpoint at once for a while, then lets one request try. If every pass waited for a
 * silent cloud, they would block all others.
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
