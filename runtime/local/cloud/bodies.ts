import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../embedded/index.ts';

/** Stored bytes, with what was computed while writing. */
interface WrittenBody {
  readonly body: string;
  readonly size: number;
  /** Lower-case hex MD5. */
  readonly etag: string;
}

/** The immutable bytes of objects, by name. */
export interface Bodies {
  /** Resolves once the bytes are on the disk. */
  readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<WrittenBody>;
  readonly read: (body: string, range?: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;
  readonly remove: (body: string) => Promise<void>;
}

/** Bodies as files of a folder; those that are not `kept` are leftovers of a crash. */
export function bodiesIn(folder: string, newName: () => string, kept: ReadonlySet<string>): Bodies {
  makeFolder(folder, 0o700);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
  return {
    write: async (bytes) => {
      const body = newName();
      const md5 = createHash('md5');
      const file = await open(join(folder, body), 'wx', 0o600);
      let size = 0;
      try {
        for await (const chunk of bytes) {
          md5.update(chunk);
          size += chunk.length;
          await file.write(chunk);
        }
        await file.datasync();
      } catch (error) {
        await rm(join(folder, body), { force: true });
        throw error;
      } finally {
        await file.close();
      }
      return { body, size, etag: md5.digest('hex') };
    },
    // Opened on the first read, so that failures reach the reader.
    read: async function* (body, range) {
      yield* createReadStream(join(folder, body), range) as AsyncIterable<Uint8Array>;
    },
    remove: (body) => rm(join(folder, body), { force: true }),
  };
}
