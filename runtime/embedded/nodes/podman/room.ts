import { statfsSync } from 'node:fs';

/** With less than this podman makes no container. */
const leastBytes = 2 ** 20;

/** The words of podman, which fails in other words where its disk is full, with that it is. */
export function withRoom(words: string, storage: string): string {
  return hasRoom(storage) || /no space left/.test(words) ? words : `${words} (no space is left at ${storage})`;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= leastBytes;
  } catch {
    return true;
  }
}
