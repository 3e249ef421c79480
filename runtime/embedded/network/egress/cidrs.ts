const bitsOf = (length: number) => 32 - length;
const numberOf = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const textOf = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

interface Block {
  readonly base: number;
  readonly length: number;
}

function blockOf(cidr: string): Block {
  const [ip = '', length = '32'] = cidr.split('/');
  const size = 2 ** bitsOf(Number(length));
  return { base: Math.floor(numberOf(ip) / size) * size, length: Number(length) };
}

const holds = (outer: Block, inner: Block): boolean =>
  inner.length >= outer.length && inner.base >= outer.base && inner.base < outer.base + 2 ** bitsOf(outer.length);

/** What is left of a block when another is taken out: halves of it, halved further where the other lies. */
function without(block: Block, hole: Block): readonly Block[] {
  if (holds(hole, block)) return [];
  if (!holds(block, hole)) return [block];
  const length = block.length + 1;
  const halves = [block.base, block.base + 2 ** bitsOf(length)].map((base) => ({ base, length }));
  return halves.flatMap((half) => without(half, hole));
}

/** A range of IPv4 without some others, as ranges. */
export function cidrWithout(cidr: string, except: readonly string[]): readonly string[] {
  const left = except
    .map(blockOf)
    .reduce<readonly Block[]>((blocks, hole) => blocks.flatMap((block) => without(block, hole)), [blockOf(cidr)]);
  return left.map(({ base, length }) => `${textOf(base)}/${length}`);
}
