import type { Identity } from '../../api.ts';
import { type ApiResult, isRetryable } from '../api.ts';
import { accessOf } from './access.ts';
import { clockTime } from './time.ts';

type Failure = Exclude<ApiResult<unknown>, { readonly is: 'ok' }>;

/** Why something could not be read, as the page says it. */
export interface FailureWords {
  readonly tone: 'bad' | 'waiting' | 'idle';
  readonly text: string;
  /** Whether it makes sense to try again. */
  readonly mayTry: boolean;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const isForbidden = (failed: Failure): boolean => failed.is === 'refused' && failed.status === 403;

/** The words of the server, what goes on by itself, and from when the data on the page is if there is any. */
export function failureWords(failed: Failure, readAt: number | null, who: Identity | null): FailureWords {
  const message = sentence(failed.error);
  if (isForbidden(failed))
    return {
      tone: 'idle',
      text: who === null ? message : `${message} You are signed in as ${who.username} (${accessOf(who)}).`,
      mayTry: false,
    };
  const again = isRetryable(failed) ? ' Retrying every 3 seconds.' : '';
  const old = readAt === null ? '' : ` Showing data from ${clockTime(readAt)}.`;
  return { tone: readAt === null ? 'bad' : 'waiting', text: `${message}${again}${old}`, mayTry: true };
}
