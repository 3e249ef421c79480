import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { OwnPodman } from './ownPodman.ts';

const tools = [
  'sh',
  'bash',
  'cat',
  'sed',
  'ls',
  'tail',
  'head',
  'mkdir',
  'rm',
  'mv',
  'cp',
  'chown',
  'chmod',
  'sleep',
  'id',
];
const moreTools = [
  'setpriv',
  'gzip',
  'date',
  'mktemp',
  'basename',
  'dirname',
  'hostname',
  'tr',
  'grep',
  'env',
  'true',
  'base64',
  'touch',
  'mkfifo',
  'wc',
  'cut',
  'sort',
  'timeout',
  'find',
];

/** Programs of this machine as an image: their files, the libraries that they are linked with, and a few tools. */
export async function importPrograms(own: OwnPodman, name: string, paths: readonly string[]): Promise<void> {
  const root = join(own.folder, `root-${name.replaceAll(/\W/g, '-')}`);
  for (const folder of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'etc', 'tmp', 'run', 'data', 'proc'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const link of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${link}`, join(root, link));
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const file of ['passwd', 'group', 'nsswitch.conf']) cpSync(`/etc/${file}`, join(root, 'etc', file));
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  const all = [
    ...[...tools, ...moreTools].map((tool) => `/usr/bin/${tool}`).filter((path) => existsSync(path)),
    ...paths,
  ];
  for (const path of all) taken(root, path);
  for (const path of paths) linkPrograms(root, join(path, 'bin'));
  for (const library of librariesOf(all)) taken(root, library);
  await own.importRoot(name, root);
}

/** Programs in a folder of their own are found by the usual path, as in a public image. */
function linkPrograms(root: string, folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) symlinkSync(join(folder, name), join(root, 'usr/bin', name));
}

/** With links followed: what they lead to need not be there. */
function taken(root: string, path: string): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(path), target, { recursive: true, dereference: true });
}

const filesIn = (path: string): readonly string[] => {
  const isFolder = execFileSync('stat', ['-Lc', '%F', path], { encoding: 'utf8' }).startsWith('directory');
  return isFolder
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [path];
};

function librariesOf(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const programs = paths.flatMap(filesIn).filter((path) => /\/s?bin\/|\.so$/.test(path));
  for (const program of programs)
    for (const [, library] of linked(program).matchAll(/(?:=> )?(\/\S+\.so[.\d]*) \(/g))
      if (library) found.add(library);
  return found;
}

/** A script is linked with nothing. */
function linked(program: string): string {
  try {
    return execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
