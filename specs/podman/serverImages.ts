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
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
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
  'od',
  'sort',
  'timeout',
  'find',
];

interface More {
  /** Files that are not of this machine, by their paths in the image. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folders in which the image has its volumes: root's, as in most public images. */
  readonly folders?: readonly string[];
  readonly entrypoint?: readonly string[];
}

/** Programs of this machine as an image: their files, the libraries that they are linked with, and a few tools. */
export async function importPrograms(
  own: OwnPodman,
  name: string,
  paths: readonly string[],
  { files = {}, folders = [], entrypoint }: More = {},
): Promise<void> {
  const root = join(own.folder, `root-${name.replaceAll(/\W/g, '-')}`);
  for (const folder of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'etc', 'tmp', 'run', 'data', 'proc', ...folders])
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
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  await own.importRoot(name, root, entrypoint && `ENTRYPOINT ${JSON.stringify(entrypoint)}`);
}

/** Stands in for rqlite and SeaweedFS, of which no package is to be had: their arguments, over `sqlite3` and our cloud. */
export async function importStandIns(own: OwnPodman, name: string): Promise<void> {
  const entry = fileURLToPath(new URL('fakes/main.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire('/');` },
    write: false,
  });
  await importPrograms(own, name, [process.execPath, '/usr/bin/sqlite3'], {
    files: { 'fake.mjs': outputFiles[0]?.text ?? '' },
    folders: ['rqlite/file'],
    entrypoint: [process.execPath, '/fake.mjs'],
  });
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
