import { readSync } from 'node:fs';

/** A file of pages that are numbered from 0. */
export interface PagedFile {
  readonly file: number;
  readonly pageSize: number;
  readonly lastPage: number;
}

/** The first bytes of a page, good until the next is asked for; null where the file does not have them. */
export type Pages = (number: number, bytes: number) => Buffer | null;

const blockBytes = 256 * 1024;

/** Reads neighbours together: quick for who asks for pages in their order. */
export function openPages({ file, pageSize, lastPage }: PagedFile): Pages {
  const block = Buffer.allocUnsafe(blockBytes);
  let start = -1;
  let length = 0;
  return (number, bytes) => {
    if (number > lastPage) return null;
    const position = number * pageSize;
    const at = position % blockBytes;
    if (position - at !== start) {
      start = position - at;
      length = readSync(file, block, 0, blockBytes, start);
    }
    return at + bytes <= length ? block.subarray(at, at + bytes) : null;
  };
}
