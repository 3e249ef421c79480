import { signal } from '@preact/signals';
import type { Identity, Session } from '../../api.ts';
import { act, type Answer, api, onSignedOut, read } from '../api.ts';
import { startLive } from './live.ts';

/** The user of the dashboard; `unread` before the first response of the server. */
export type Reader =
  | { readonly is: 'unread' }
  | { readonly is: 'unreachable'; readonly error: string }
  | { readonly is: 'signedOut'; readonly ended: boolean }
  | { readonly is: 'signedIn'; readonly identity: Identity };

export const reader = signal<Reader>({ is: 'unread' });

let stopLive: (() => void) | null = null;

function set(next: Reader): void {
  reader.value = next;
  if (next.is === 'signedIn') stopLive ??= startLive();
  else {
    stopLive?.();
    stopLive = null;
  }
}

/** Reads the session from the server. */
export async function readSession(): Promise<void> {
  const answer = await read<Session>(api.session);
  if (answer.is !== 'ok') return set({ is: 'unreachable', error: answer.error });
  const session = answer.value;
  set(session.authenticated ? { is: 'signedIn', identity: session } : { is: 'signedOut', ended: false });
}

/** Signs in; returns a refusal in the server's words. */
export async function signIn(username: string, password: string): Promise<Answer<Identity>> {
  const answer = await act<Identity>(api.login, { username, password });
  const before = reader.value;
  if (answer.is !== 'ok') return answer;
  // Another user may sign in than the one whose objects are still in memory.
  if (before.is === 'signedOut' && before.ended) location.reload();
  else set({ is: 'signedIn', identity: answer.value });
  return answer;
}

/** Signs out, and reloads the page so that no data stays in memory; returns why it could not. */
export async function signOut(): Promise<string | null> {
  const answer = await act(api.logout);
  if (answer.is !== 'ok') return answer.error;
  location.assign('/');
  return null;
}

/** Follows what the API reports of the session. */
export function startSession(): void {
  onSignedOut(() => {
    if (reader.value.is === 'signedIn') set({ is: 'signedOut', ended: true });
  });
  void readSession();
}

/** The signed-in user; null for nobody. */
export const identity = (): Identity | null => (reader.value.is === 'signedIn' ? reader.value.identity : null);

/** Whether the signed-in user may change anything. */
export const mayAct = (): boolean => identity()?.canMutate ?? false;

/** Whether the user may read logs and the fields that redacted copies omit (decision 112). */
export const mayReadSensitive = (): boolean => identity()?.canReadSensitive ?? false;

/** Whether the user may make and revoke tokens and approve codes: only a signed-in admin (document 002). */
export const isAdmin = (): boolean => {
  const who = identity();
  return who !== null && who.role === 'admin' && who.authentication === 'session';
};
