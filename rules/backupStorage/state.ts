/** Backup storage as the cloud has it. */
export type StorageState =
  | { readonly is: 'working'; readonly region: string; readonly secret: string }
  /** Nothing is decided yet, such as while the cloud does not know a new key. */
  | { readonly is: 'waiting'; readonly why: string }
  | { readonly is: 'failing'; readonly error: string };

/** What a request about a bucket led to: refused for good, or in a way that may pass. */
export type StorageFailure = { readonly isRefusal: boolean; readonly why: string };

/** Silence, throttling and trouble of the cloud itself count after this time. */
const timeoutMs = 3 * 60_000;

/** A refusal counts at once; what may pass counts once it has lasted. */
export const stateOfFailure = ({ isRefusal, why }: StorageFailure, sinceMs: number, now: number): StorageState =>
  isRefusal || now - sinceMs >= timeoutMs ? { is: 'failing', error: why } : { is: 'waiting', why };
