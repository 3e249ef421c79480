/** Locks a file for one descriptor; false where another descriptor has the lock, whichever process it belongs to. */
export type TryLock = (file: number) => boolean;
