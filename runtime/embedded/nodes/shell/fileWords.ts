import { posix } from 'node:path';
import { FileFault } from './files.ts';
import { type Process, type Program, complain, say } from './process.ts';

const pathOf = ({ session }: Process, name: string) => posix.resolve(session.directory, name);

/** Does something with each file named; what is wrong with one is said, and the others still come. */
async function each(name: string, process: Process, work: (path: string, asked: string) => void): Promise<number> {
  let code = 0;
  for (const asked of process.args.filter((arg) => !arg.startsWith('-'))) {
    try {
      work(pathOf(process, asked), asked);
    } catch (why) {
      if (!(why instanceof FileFault)) throw why;
      await complain(process, `${name}: ${asked}: ${why.message}`);
      code = 1;
    }
  }
  return code;
}

const ls: Program = async (process) => {
  const { files } = process.session.place;
  const flags = process.args.filter((arg) => arg.startsWith('-')).join('');
  const named = process.args.filter((arg) => !arg.startsWith('-'));
  const isLong = flags.includes('l');
  let code = 0;
  for (const asked of named.length > 0 ? named : ['.']) {
    const path = pathOf(process, asked);
    const names = files.names(path);
    if (names === null && !files.isFile(path)) {
      await complain(process, `ls: ${asked}: No such file or directory`);
      code = 1;
      continue;
    }
    if (names !== null && named.length > 1) await say(process, `${asked}:\n`);
    const shown = names === null ? [asked] : names.filter((name) => flags.includes('a') || !name.startsWith('.'));
    for (const name of shown) await say(process, `${isLong ? longOf(process, path, name) : name}\n`);
  }
  return code;
};

function longOf(process: Process, directory: string, name: string): string {
  const { files, user } = process.session.place;
  const path = files.isFile(directory) ? directory : posix.join(directory, name);
  const isDirectory = files.names(path) !== null;
  const size = isDirectory ? 4096 : Buffer.byteLength(files.read(path));
  const mode = isDirectory ? 'drwxr-xr-x' : '-rw-r--r--';
  const owner = user.uid === 0 ? 'root' : String(user.uid);
  return `${mode}    1 ${owner.padEnd(8)} ${owner.padEnd(8)} ${String(size).padStart(9)} ${name}`;
}

/** The programs that read and create files. */
export const fileWords: Readonly<Record<string, Program>> = {
  ls,
  touch: (process) => each('touch', process, (path) => process.session.place.files.write(path, '', 'append')),
  mkdir: (process) => each('mkdir', process, (path) => process.session.place.files.makeDirectory(path)),
  rm: (process) => each('rm', process, (path) => process.session.place.files.remove(path)),
};
