import { appendFileSync, createReadStream, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, openDisk, placeOf } from '../api/store/disk.ts';
import { BadData } from '../badData.ts';
import { makeDataDir, namesIn, removeEmpty } from '../dataDir/folder.ts';
import { lockDataDir, lockName } from '../dataDir/lock.ts';
import { closeToOthers } from '../dataDir/rights.ts';
import { type Line, backupFormat, lineOf, notABackup } from './lines.ts';
import { makeFolder } from '../makeFolder.ts';
import { unfinishedRestore } from './unfinishedRestore.ts';

/** Versions given out after the backup was made must not come again: a restored cluster goes on far above them. */
const revisionsSkipped = 1_000_000;
const batchSize = 1_000;

/** Makes a data directory of a backup; one that holds anything is left alone, and nothing is left of a failure. */
export async function restoreBackup(file: string, dataDir: string): Promise<{ readonly objects: number }> {
  if (!existsSync(file)) throw new BadData(`there is no file ${file}`);
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory()) throw new BadData(`${dataDir} is not a directory`);
  const made = makeDataDir(dataDir);
  try {
    checkEmpty(dataDir);
    const unlock = await lockDataDir(dataDir);
    try {
      // Once more: another restore may have held the lock until now.
      checkEmpty(dataDir);
      return await restoreInto(dataDir, file);
    } finally {
      unlock();
    }
  } catch (why) {
    removeEmpty(made);
    throw why;
  }
}

async function restoreInto(dataDir: string, file: string): Promise<{ readonly objects: number }> {
  const marker = join(dataDir, unfinishedRestore);
  writeFileSync(marker, '', { flag: 'wx', mode: 0o600 });
  try {
    const restored = await fill(file, dataDir);
    closeToOthers(dataDir);
    rmSync(marker);
    return restored;
  } catch (why) {
    for (const name of contentOf(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    throw why;
  }
}

function checkEmpty(dataDir: string): void {
  if (contentOf(dataDir).length > 0) throw new BadData(`${dataDir} is not empty: restore into a new data directory`);
}

/** What a data directory holds, beside its lock and what a disk brings with it. */
const contentOf = (dataDir: string) => namesIn(dataDir).filter((name) => name !== lockName && name !== 'lost+found');

async function fill(file: string, dataDir: string): Promise<{ readonly objects: number }> {
  const disk = openDisk(join(dataDir, 'objects'));
  let batch: Entry[] = [];
  let objects = 0;
  let lines = 0;
  let last: Line | null = null;
  try {
    for await (const line of linesIn(file)) {
      if (lines === 0) checkHead(line);
      if (line.is === 'folder') makeFolder(inside(dataDir, line.path), line.mode);
      if (line.is === 'file') keepPart(dataDir, line);
      if (line.is === 'object') batch.push({ place: placeOf(line.key), text: line.text });
      if (batch.length >= batchSize || line.is === 'end') {
        objects += batch.length;
        await disk.write(batch, line.is === 'end' ? line.revision + revisionsSkipped : 0);
        batch = [];
      }
      if (line.is === 'end' && line.lines !== lines) throw notABackup();
      last = line;
      lines += 1;
    }
    if (last?.is !== 'end') throw new BadData('the backup is cut short: its end is missing');
  } finally {
    await disk.close();
  }
  return { objects };
}

async function* linesIn(file: string): AsyncGenerator<Line> {
  const unzipped = createGunzip();
  pipeline(createReadStream(file), unzipped, () => {});
  try {
    for await (const text of createInterface({ input: unzipped, crlfDelay: Infinity })) yield lineOf(text);
    if (unzipped.errored) throw unzipped.errored;
  } catch (why) {
    throw why instanceof BadData ? why : new BadData(`the backup cannot be read: ${String(why)}`);
  }
}

function checkHead(line: Line): void {
  if (line.is !== 'head') throw notABackup();
  if (line.format > backupFormat)
    throw new BadData(
      `the backup was written by a newer version: format ${line.format}, this one reads ${backupFormat}`,
    );
}

/** A path of the backup below the data directory; one that leads elsewhere is refused. */
function inside(dataDir: string, path: string): string {
  const root = resolve(dataDir);
  const whole = resolve(root, path);
  if (whole.startsWith(root + sep)) return whole;
  throw notABackup();
}

function keepPart(dataDir: string, { path, mode, data }: Extract<Line, { is: 'file' }>): void {
  const whole = inside(dataDir, path);
  makeFolder(dirname(whole), 0o700);
  appendFileSync(whole, Buffer.from(data, 'base64'), { mode });
}
