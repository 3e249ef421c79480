import { signal } from '@preact/signals';
import type { Identity } from '../../api.ts';
import { type ApiResult, onSignedOut, write, read } from '../api.ts';
import { link, missed, startLive } from './live.ts';

/** The user of the dashboard; `unread` before the first response of the server. */
export type Reader =
  | { readonly is: 'unread' }
  | { readonly is: 'unreachable'; readonly error: string }
  | { readonly is: 'signedOut' }
  | { readonly is: 'signedIn'; readonly identity: Identity }
  /** The page stays as it is, and with it what was typed into it. */
  | { readonly is: 'ended'; readonly identity: Identity };

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
  const answer = await read('GET /session', {});
  if (answer.is !== 'ok') return set({ is: 'unreachable', error: answer.error });
  const session = answer.value;
  const before = identity();
  if (session.authenticated) set({ is: 'signedIn', identity: session });
  else set(before ? { is: 'ended', identity: before } : { is: 'signedOut' });
}

/** Reads who is signed in once more, because a role may change while the stream is away. */
async function refreshSession(): Promise<void> {
  const before = identity();
  const answer = await read('GET /session', {});
  if (before === null || answer.is !== 'ok' || !answer.value.authenticated) return;
  set({ is: 'signedIn', identity: answer.value });
  // Each role has a view of its own of every object.
  if (answer.value.role !== before.role) missed.value += 1;
}

/** Signs in; returns a refusal in the server's words. */
export async function signIn(username: string, password: string): Promise<ApiResult<Identity>> {
  const answer = await write('POST /login', {}, { username, password });
  const before = identity();
  if (answer.is !== 'ok') return answer;
  const isOther = before !== null && (before.username !== answer.value.username || before.role !== answer.value.role);
  // What another user was shown is still on the page and in memory.
  if (isOther) location.reload();
  else set({ is: 'signedIn', identity: answer.value });
  return answer;
}

/** Signs out, and reloads the page so that no data stays in memory; returns why it could not. */
export async function signOut(): Promise<string | null> {
  const answer = await write('POST /logout', {});
  if (answer.is !== 'ok') return answer.error;
  location.assign('/');
  return null;
}

/** Follows what the API reports of the session. */
export function startSession(): void {
  onSignedOut(() => {
    const before = reader.peek();
    if (before.is === 'signedIn') set({ is: 'ended', identity: before.identity });
  });
  void readSession();
  let wasLost = false;
  link.subscribe(({ is }) => {
    if (is === 'live' && wasLost) void refreshSession();
    wasLost = is === 'reconnecting';
  });
}

/** The signed-in user, also while they have to sign in again; null for nobody. */
export function identity(): Identity | null {
  const who = reader.value;
  return who.is === 'signedIn' || who.is === 'ended' ? who.identity : null;
}

/** Whether the signed-in user may change anything. */
export const mayAct = (): boolean => identity()?.canMutate ?? false;

/** Whether the user may read logs and the fields that redacted copies omit (decision 112). */
export const mayReadSensitive = (): boolean => identity()?.canReadSensitive ?? false;

/** Whether the user may make and revoke tokens and approve codes: only a signed-in admin (document 002). */
export const isAdmin = (): boolean => {
  const who = identity();
  return who !== null && who.role === 'admin' && who.authentication === 'session';
};
