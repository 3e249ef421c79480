import { posix } from 'node:path';

/** A file that cannot be read or written, in the words of a command. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

/** The files of a container: those that are there and those that a session writes; nothing outlives the session. */
export interface Files {
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string, how: 'write' | 'append') => void;
  readonly remove: (path: string) => void;
  readonly makeDirectory: (path: string) => void;
  /** The names in a directory; null for what is no directory. */
  readonly names: (path: string) => readonly string[] | null;
  readonly isFile: (path: string) => boolean;
}

const most = 1_024 * 1_024;
const always = ['/', '/bin', '/dev', '/etc', '/home', '/proc', '/root', '/tmp', '/usr', '/usr/bin', '/var'];

export function createFiles(given: ReadonlyMap<string, string>, readOnly: readonly string[]): Files {
  const files = new Map([...given, ['/dev/null', '']]);
  const directories = new Set(always);
  let used = 0;
  const addParents = (path: string) => {
    for (let dir = posix.dirname(path); !directories.has(dir); dir = posix.dirname(dir)) directories.add(dir);
  };
  for (const path of [...files.keys(), ...readOnly.map((dir) => `${dir}/x`)]) addParents(path);

  function checkWritable(path: string) {
    if (readOnly.some((dir) => path === dir || path.startsWith(`${dir}/`)))
      throw new FileFault('Read-only file system');
    if (!directories.has(posix.dirname(path))) throw new FileFault('No such file or directory');
  }

  return {
    read(path) {
      const text = files.get(path);
      if (text !== undefined) return text;
      throw new FileFault(directories.has(path) ? 'Is a directory' : 'No such file or directory');
    },
    write(path, text, how) {
      if (path === '/dev/null') return;
      if (directories.has(path)) throw new FileFault('Is a directory');
      checkWritable(path);
      const old = files.get(path) ?? '';
      const next = how === 'append' ? old + text : text;
      if (used + next.length - old.length > most) throw new FileFault('No space left on device');
      used += next.length - old.length;
      files.set(path, next);
    },
    remove(path) {
      if (directories.has(path)) throw new FileFault('Is a directory');
      if (!files.has(path)) throw new FileFault('No such file or directory');
      checkWritable(path);
      used -= files.get(path)?.length ?? 0;
      files.delete(path);
    },
    makeDirectory(path) {
      if (directories.has(path) || files.has(path)) throw new FileFault('File exists');
      checkWritable(path);
      if (directories.size > 1_000) throw new FileFault('No space left on device');
      directories.add(path);
    },
    names(path) {
      if (!directories.has(path)) return null;
      const inside = [...files.keys(), ...directories].filter((one) => one !== '/' && posix.dirname(one) === path);
      return inside.map((one) => posix.basename(one)).sort();
    },
    isFile: (path) => files.has(path),
  };
}
