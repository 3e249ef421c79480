import { type PagedFile, type Pages, openPages } from './pages.ts';

/** The checked fields of a page header and of a node header, in lmdb's layout. */
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

/** What is wrong with a page, said of the whole file. */
export class BadPage extends Error {}

interface Checked extends PagedFile {
  readonly pages: Pages;
}

/** What a page leads to: another page, or the first page of a value of so many bytes. */
interface Way {
  readonly number: number;
  readonly size: number | null;
}

/** Fails where the pages of these trees do not hang together: lmdb trusts them, and would read where nothing is. */
export function checkTrees(paged: PagedFile, roots: readonly bigint[]): void {
  const checked = { ...paged, pages: openPages(paged) };
  const reached = new Set<number>();
  let ways = roots.flatMap(wayTo);
  while (ways.length > 0) {
    for (const { number } of ways) {
      if (reached.has(number)) throw new BadPage(`page ${number} stands in a tree twice`);
      reached.add(number);
    }
    // In the order of the file, which is read quickly from one end to the other.
    ways = ways.toSorted((a, b) => a.number - b.number).flatMap((way) => follow(checked, way));
  }
}

const wayTo = (root: bigint): readonly Way[] => (root === noRoot ? [] : [{ number: Number(root), size: null }]);

function follow(checked: Checked, { number, size }: Way): readonly Way[] {
  if (size === null) return waysOf(read(checked, number, checked.pageSize), number);
  checkValue(checked, number, size);
  return [];
}

function waysOf(page: Buffer, number: number): readonly Way[] {
  const flags = page.readUInt16LE(header.flags);
  const isBranch = (flags & branch) !== 0;
  if (isBranch === ((flags & leaf) !== 0)) throw new BadPage(`page ${number} is none of a tree`);
  const nodes = nodesOf(page, number);
  return isBranch ? nodes.map((at) => childAt(page, at)) : nodes.flatMap((at) => waysOfLeaf(page, at));
}

/** Where the nodes of a page are; lmdb counts from the end of the header. */
function nodesOf(page: Buffer, number: number): readonly number[] {
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

const childAt = (page: Buffer, at: number): Way => ({
  number: page.readUInt32LE(at) + page.readUInt16LE(at + node.flags) * 2 ** 32,
  size: null,
});

function waysOfLeaf(page: Buffer, at: number): readonly Way[] {
  const flags = page.readUInt16LE(at + node.flags);
  const size = page.readUInt32LE(at);
  const data = at + node.bytes + page.readUInt16LE(at + node.keySize);
  const needed = (flags & inOverflow) !== 0 ? 8 : size;
  if (data + needed > page.length) throw new BadPage('a value does not end in its page');
  if ((flags & inOverflow) !== 0) return [{ number: Number(page.readBigUInt64LE(data)), size }];
  return (flags & isTree) !== 0 && size >= treeBytes ? wayTo(page.readBigUInt64LE(data + rootAt)) : [];
}

function checkValue(checked: Checked, number: number, size: number): void {
  const page = read(checked, number, header.bytes);
  const pages = page.readUInt32LE(header.pages);
  const holds = pages * checked.pageSize >= header.bytes + size && number + pages - 1 <= checked.lastPage;
  if ((page.readUInt16LE(header.flags) & overflow) === 0 || !holds) throw new BadPage(`page ${number} holds no value`);
}

function read({ pages }: Checked, number: number, bytes: number): Buffer {
  const page = pages(number, bytes);
  if (!page) throw new BadPage(`page ${number} is not there`);
  if (page.readBigUInt64LE(header.number) !== BigInt(number))
    throw new BadPage(`page ${number} is not what it should be`);
  return page;
}
