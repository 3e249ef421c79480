import { hidden, sentence, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';

const exceeded = /exceeded quota/;

/** The cause of what a quota refuses, by the words of the API server; undefined for another refusal. */
export const causeOfQuota = (text: string, on: ObjectRef): FoundCause | undefined =>
  exceeded.test(text)
    ? {
        reason: 'QuotaExceeded',
        message: sentence('the quota of namespace "{namespace}" is used up: {message}', {
          namespace: toViewers(on.namespace),
          message: hidden(text),
        }),
        on,
      }
    : undefined;
