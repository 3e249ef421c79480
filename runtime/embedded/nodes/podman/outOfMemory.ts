import { closeSync, constants, openSync, readSync } from 'node:fs';

const kernelLog = '/dev/kmsg';
/** A record of the kernel's log is no longer. */
const longestRecord = 8_192;
const killed = /oom-kill:.*task_memcg=(\S+?),/;

/** Whether a record of the kernel tells that it killed a process of a container for its memory. */
export const tellsOf = (record: string, id: string): boolean => record.match(killed)?.[1]?.includes(id) === true;

/**
 * Whether the kernel killed a process of a container for its memory. podman asks the control group, which is gone with
 * the container and counts on some machines only; the log of the kernel tells everywhere where it may be read.
 */
export function isKilledForMemory(id: string): boolean {
  let file: number;
  try {
    file = openSync(kernelLog, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  const record = Buffer.alloc(longestRecord);
  try {
    for (;;) {
      const length = nextOf(file, record);
      if (length === null) return false;
      if (tellsOf(record.toString('utf8', 0, length), id)) return true;
    }
  } finally {
    closeSync(file);
  }
}

/** The length of the next record; null where none is left. */
function nextOf(file: number, record: Buffer): number | null {
  try {
    return readSync(file, record);
  } catch (why) {
    // Records that were overwritten meanwhile are told of once.
    return (why as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : null;
  }
}
