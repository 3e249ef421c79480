import { tryLock } from 'fs-native-extensions';

/**
 * Whether the kernel gives the file, or the one byte at `position`, to this descriptor alone. It takes the lock back when
 * the descriptor is closed, and the end of a process closes all of them.
 */
export const kernelLock = (file: number, position?: number): boolean =>
  position === undefined ? tryLock(file) : tryLock(file, position, 1);
