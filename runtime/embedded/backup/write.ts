import { createWriteStream, existsSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openSnapshot } from '../api/store/snapshot.ts';
import { BadData } from '../badData.ts';
import { lockName } from '../dataDir/lock.ts';
import { nameOnce } from '../nameOnce.ts';
import { type Line, backupFormat } from './lines.ts';
import { unfinishedRestore } from './unfinishedRestore.ts';

const chunkBytes = 512 * 1_024;

/** What belongs to a program that runs, or is copied object by object. */
const leftOut = [lockName, 'endpoints.json', 'objects'];

/** Writes everything that a data directory holds to one file, while the program that owns it goes on. */
export async function writeBackup(dataDir: string, file: string): Promise<{ readonly objects: number }> {
  if (!statSync(join(dataDir, 'objects', 'objects.mdb'), { throwIfNoEntry: false }))
    throw new BadData(`${dataDir} holds no embedded cluster`);
  if (existsSync(join(dataDir, unfinishedRestore))) throw new BadData(`${dataDir} holds a restore that did not finish`);
  checkTarget(dataDir, file);
  const unfinished = `${file}.${process.pid}`;
  const count = { objects: 0 };
  try {
    const target = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
    await pipeline(Readable.from(texts(dataDir, count)), createGzip(), target);
    // A name that somebody took meanwhile is left to them.
    nameOnce(unfinished, file);
  } catch (why) {
    throw why instanceof BadData ? why : new BadData(`${file} cannot be written: ${whyOf(why)}`);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return count;
}

const whyOf = (why: unknown) => (why instanceof Error ? why.message : String(why));

/** A backup takes no other file's place, and does not become a part of what it is of. */
function checkTarget(dataDir: string, file: string): void {
  if (existsSync(file)) throw new BadData(`${file} exists already: a backup replaces nothing`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new BadData(`there is no folder ${folder}`);
  const from = relative(realpathSync(dataDir), realpathSync(folder));
  if (from === '' || !(from.startsWith('..') || isAbsolute(from)))
    throw new BadData(`${file} lies inside of the data directory: keep backups elsewhere`);
}

function* texts(dataDir: string, count: { objects: number }): Generator<string> {
  let lines = 0;
  for (const line of linesOf(dataDir)) {
    if (line.is === 'object') count.objects += 1;
    yield `${JSON.stringify(line.is === 'end' ? { ...line, lines } : line)}\n`;
    lines += 1;
  }
}

function* linesOf(dataDir: string): Generator<Line> {
  yield { is: 'head', format: backupFormat };
  // Refs before what they point to: what is added to a repository meanwhile is then too much, never missing.
  const files = filesBelow(dataDir, '').sort((a, b) => Number(isGitObject(a)) - Number(isGitObject(b)));
  for (const path of files) yield* partsOf(dataDir, path);
  const snapshot = openSnapshot(join(dataDir, 'objects'));
  try {
    for (const { key, value } of snapshot.objects()) yield { is: 'object', key, text: value };
    yield { is: 'end', lines: 0, revision: snapshot.revision() };
  } finally {
    void snapshot.close();
  }
}

const isGitObject = (path: string) => path.includes('/objects/');

function filesBelow(dataDir: string, folder: string): string[] {
  return readdirSync(join(dataDir, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (leftOut.includes(path)) return [];
    // A folder counts even where it is empty: a repository is none without them.
    if (entry.isDirectory()) return [path, ...filesBelow(dataDir, path)];
    return entry.isFile() ? [path] : [];
  });
}

function* partsOf(dataDir: string, path: string): Generator<Line> {
  const whole = join(dataDir, path);
  const stat = statSync(whole, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) return yield { is: 'folder', path, mode: stat.mode & 0o777 };
  const data = readFileSync(whole);
  for (let at = 0; at === 0 || at < data.length; at += chunkBytes)
    yield {
      is: 'file',
      path,
      mode: stat.mode & 0o777,
      data: data.subarray(at, at + chunkBytes).toString('base64'),
    };
}
