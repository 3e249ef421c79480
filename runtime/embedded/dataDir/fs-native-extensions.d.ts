declare module 'fs-native-extensions' {
  /** False where another descriptor holds the lock. Throws with a code where the file system has no locks. */
  export function tryLock(file: number, offset?: number, length?: number): boolean;
}
