import { readSync } from 'node:fs';

/** What of a page header and of a node's head is looked at, as lmdb lays them out. */
const header = { bytes: 24, number: 0, flags: 18, lower: 20, upper: 22, pages: 20 } as const;
const node = { bytes: 8, flags: 4, keySize: 6 } as const;
const branch = 1;
const leaf = 2;
const overflow = 4;
const inOverflow = 1;
const isTree = 2;
/** A tree as it stands in the data of a node: the root is its last field. */
const treeBytes = 48;
export const rootAt = 40;
const noRoot = 0xffff_ffff_ffff_ffffn;
const deepest = 64;

export interface PagedFile {
  readonly file: number;
  readonly pageSize: number;
  readonly lastPage: bigint;
}

/** What is wrong with a page, said of the whole file. */
export class BadPage extends Error {}

/** Fails where the pages of a tree do not hang together: lmdb trusts them, and would read where nothing is. */
export function checkTree(paged: PagedFile, root: bigint): void {
  if (root !== noRoot) walk(paged, root, deepest);
}

function walk(paged: PagedFile, number: bigint, depth: number): void {
  const page = read(paged, number, paged.pageSize);
  const flags = page.readUInt16LE(header.flags);
  const isBranch = (flags & branch) !== 0;
  if (depth === 0 || isBranch === ((flags & leaf) !== 0)) throw new BadPage(`page ${number} is none of a tree`);
  for (const at of nodesOf(page, number))
    if (isBranch) walk(paged, childAt(page, at), depth - 1);
    else checkLeaf(paged, page, at);
}

/** Where the nodes of a page are; lmdb counts from the end of the header. */
function nodesOf(page: Buffer, number: bigint): readonly number[] {
  const [lower, upper] = [page.readUInt16LE(header.lower), page.readUInt16LE(header.upper)];
  if (lower > upper || header.bytes + upper > page.length || lower % 2 !== 0)
    throw new BadPage(`page ${number} has no bounds`);
  return Array.from({ length: lower / 2 }, (_, index) => {
    const from = page.readUInt16LE(header.bytes + 2 * index);
    const at = header.bytes + from;
    const isInside = from >= upper && at + node.bytes <= page.length;
    if (!isInside || at + node.bytes + page.readUInt16LE(at + node.keySize) > page.length)
      throw new BadPage(`page ${number} has a node outside of itself`);
    return at;
  });
}

const childAt = (page: Buffer, at: number): bigint =>
  BigInt(page.readUInt32LE(at)) | (BigInt(page.readUInt16LE(at + node.flags)) << 32n);

function checkLeaf(paged: PagedFile, page: Buffer, at: number): void {
  const flags = page.readUInt16LE(at + node.flags);
  const size = page.readUInt32LE(at);
  const data = at + node.bytes + page.readUInt16LE(at + node.keySize);
  const needed = (flags & inOverflow) !== 0 ? 8 : size;
  if (data + needed > page.length) throw new BadPage('a value does not end in its page');
  if ((flags & inOverflow) !== 0) checkOverflow(paged, page.readBigUInt64LE(data), size);
  else if ((flags & isTree) !== 0 && size >= treeBytes) checkTree(paged, page.readBigUInt64LE(data + rootAt));
}

function checkOverflow(paged: PagedFile, number: bigint, size: number): void {
  const page = read(paged, number, header.bytes);
  const pages = page.readUInt32LE(header.pages);
  const holds = pages * paged.pageSize >= header.bytes + size && number + BigInt(pages) - 1n <= paged.lastPage;
  if ((page.readUInt16LE(header.flags) & overflow) === 0 || !holds) throw new BadPage(`page ${number} holds no value`);
}

function read({ file, pageSize, lastPage }: PagedFile, number: bigint, bytes: number): Buffer {
  const page = Buffer.alloc(bytes);
  const isThere = number <= lastPage && readSync(file, page, 0, bytes, Number(number) * pageSize) === bytes;
  if (!isThere) throw new BadPage(`page ${number} is not there`);
  if (page.readBigUInt64LE(header.number) !== number) throw new BadPage(`page ${number} is not what it should be`);
  return page;
}
