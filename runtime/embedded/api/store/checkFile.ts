import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { open } from 'lmdb';
import { BadData } from '../../badData.ts';
import { fromBackup } from '../../keptFile.ts';
import { BadPage, checkTrees, rootAt } from './checkPages.ts';

/** Bumped when older programs could not read what is written. */
export const format = 1;

const ownDatabases = ['about', 'objects'];

/**
 * Refuses a file that is damaged, not ours, or of a newer program, before anything is written to it. The pages of one that
 * a running program writes to change meanwhile, and are not looked at.
 */
export function checkFile(path: string, pages: 'checked' | 'changing' = 'checked'): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  checkMeta(path, size, pages === 'checked');
  const lock = `${path}-lock`;
  const wasThere = existsSync(lock);
  try {
    checkContent(path);
  } catch (why) {
    if (!wasThere) rmSync(lock, { force: true });
    throw why instanceof BadData ? why : damaged(path, why instanceof Error ? why.message : '');
  }
}

const damaged = (path: string, words: string) => new BadData(`${path} is damaged: ${words}; ${fromBackup}`);

/** Where lmdb keeps what it knows of a file: in each of the first two pages, in turn. */
const meta = {
  bytes: 160,
  magic: 0xbeefc0de,
  at: { magic: 24, pageSize: 48, freeTree: 48, mainTree: 96, lastPage: 144, transaction: 152 },
} as const;
const pageSizes = [4_096, 8_192, 16_384, 32_768, 65_536];

function checkMeta(path: string, size: number, withPages: boolean): void {
  const file = openSync(path, 'r');
  try {
    const metaAt = (position: number) => {
      const bytes = Buffer.alloc(meta.bytes);
      const isWhole = readSync(file, bytes, 0, meta.bytes, position) === meta.bytes;
      return isWhole && bytes.readUInt32LE(meta.at.magic) === meta.magic ? bytes : null;
    };
    const first = metaAt(0);
    const pageSize = first?.readUInt32LE(meta.at.pageSize) ?? 0;
    if (!first || !pageSizes.includes(pageSize)) throw new BadData(`${path} is not a database of Core, or is damaged`);
    const second = metaAt(pageSize);
    if (!second) throw damaged(path, 'its second page cannot be read');
    const transactionOf = (bytes: Buffer) => bytes.readBigUInt64LE(meta.at.transaction);
    const newest = transactionOf(second) > transactionOf(first) ? second : first;
    const lastPage = newest.readBigUInt64LE(meta.at.lastPage);
    const needed = (lastPage + 1n) * BigInt(pageSize);
    if (needed > size) throw damaged(path, `${size} of its ${needed} bytes are there`);
    if (!withPages) return;
    const roots = [meta.at.freeTree, meta.at.mainTree].map((tree) => newest.readBigUInt64LE(tree + rootAt));
    checkTrees({ file, pageSize, lastPage: Number(lastPage) }, roots);
  } catch (why) {
    throw why instanceof BadPage ? damaged(path, why.message) : why;
  } finally {
    closeSync(file);
  }
}

function checkContent(path: string): void {
  const root = open<unknown, string>({ path, readOnly: true, maxDbs: ownDatabases.length });
  try {
    const names = [...root.getKeys({ limit: ownDatabases.length + 1 })];
    if (names.length === 0) return;
    if (names.some((name) => !ownDatabases.includes(name))) throw new BadData(`${path} is not a database of Core`);
    const found = root.openDB<unknown, string>({ name: 'about', encoding: 'json' }).get('format') ?? format;
    if (typeof found !== 'number') throw damaged(path, 'its format cannot be read');
    if (found > format)
      throw new BadData(`${path} was written by a newer version: data format ${found}, this one reads up to ${format}`);
  } finally {
    void root.close();
  }
}
