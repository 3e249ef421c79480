/** The state of backup storage in the cloud. */
export type StorageState =
  | { readonly is: 'working'; readonly region: string; readonly secret: string }
  /** Not decided yet, for example while a new key is inactive. */
  | { readonly is: 'waiting'; readonly why: string; readonly by?: StorageBlocker }
  | { readonly is: 'failing'; readonly error: string; readonly by?: StorageBlocker };

/** What keeps backup storage from working: the cloud refuses it, the cloud is silent, or its account is unusable. */
export type StorageBlocker = 'refusal' | 'silence' | 'account';

/** The failure of a request about a bucket: permanent or transient. */
export type StorageFailure = { readonly isRefusal: boolean; readonly why: string };

/** Timeouts, throttling and server errors of the cloud count after this time. */
const timeoutMs = 3 * 60_000;

/** A refusal counts at once; a transient failure counts once it has lasted. */
export function stateOfFailure({ isRefusal, why }: StorageFailure, sinceMs: number, now: number): StorageState {
  if (isRefusal) return { is: 'failing', error: why, by: 'refusal' };
  return now - sinceMs >= timeoutMs
    ? { is: 'failing', error: why, by: 'silence' }
    : { is: 'waiting', why, by: 'silence' };
}
