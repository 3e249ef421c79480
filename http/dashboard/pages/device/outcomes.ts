import type { DeviceReview } from '../../../api.ts';
import type { Tone } from '../../model/state.ts';

interface Outcome {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

/** The outcome of a sign-in that is no longer open (document 002, Device sign-in request). */
export const outcomes: Readonly<Record<Exclude<DeviceReview['state'], 'pending'>, Outcome>> = {
  approved: {
    tone: 'good',
    title: 'Approved',
    text: 'The client fetches its token within a few seconds. This page may be closed.',
  },
  issued: {
    tone: 'good',
    title: 'Approved, and the token is handed over',
    text: 'The client is signed in. The token can be revoked in Settings, Tokens.',
  },
  refused: {
    tone: 'idle',
    title: 'Refused',
    text: 'The client is told that access is denied, and receives no token.',
  },
  expired: {
    tone: 'waiting',
    title: 'Expired',
    text: 'A code lives ten minutes. Restart the sign-in in the client; it shows a new code.',
  },
};

/** The text for a code that no pending sign-in has. */
export const unknownCode =
  'No pending sign-in has this code. Compare it with the one the client shows. Codes live ten minutes, and a restart of the server forgets them: then start the sign-in again.';
